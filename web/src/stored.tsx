// Text from the store: always as text, kept from what it might do to the page around it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { begin, brief, count } from "./format";

const LONG = 1200;

/** A text in a line: by itself, so that its direction turns nothing else around. */
export function Stored(props: { text: string; most?: number }) {
  return <bdi class="stored">{props.most ? brief(props.text, props.most) : props.text}</bdi>;
}

/** A text of any length: the beginning, and all of it for whoever asks. The words in `quotes` are marked. */
export function Words(props: { text: string; most?: number; code?: boolean; quotes?: readonly string[] }) {
  const [whole, setWhole] = useState(false);
  const spans = spansOf(props.text, props.quotes ?? []);
  const most = Math.max(props.most ?? LONG, spans.at(-1)?.[1] ?? 0);
  const long = props.text.length > most * 1.25; // a little more is not worth a button
  const shown = long && !whole ? begin(props.text, most) : props.text;
  const said = [...pieces(shown, spans), long && !whole && "…"];
  return (
    <div class="words">
      {props.code ? (
        <pre class="stored" dir="auto">
          {said}
        </pre>
      ) : (
        <p class="stored" dir="auto">
          {said}
        </p>
      )}
      {long && (
        <button type="button" class="small" onClick={() => setWhole(!whole)} aria-expanded={whole}>
          {whole ? "Show less" : `Show all ${count(props.text.length)} characters`}
        </button>
      )}
    </div>
  );
}

/** Where the quotes stand, in order and without overlap. */
function spansOf(text: string, quotes: readonly string[]): [number, number][] {
  const found = quotes
    .filter(Boolean)
    .map((quote): [number, number] => [text.indexOf(quote), quote.length])
    .filter(([start]) => start >= 0)
    .sort((one, other) => one[0] - other[0]);
  const spans: [number, number][] = [];
  for (const [start, length] of found) {
    const last = spans.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], start + length);
    else spans.push([start, start + length]);
  }
  return spans;
}

function pieces(text: string, spans: [number, number][]): ComponentChildren[] {
  const made: ComponentChildren[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    made.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...made, text.slice(at)];
}

/** A value as JSON; nothing for what is empty. */
export function Json(props: { value: unknown }) {
  if (isEmpty(props.value)) return null;
  return <Words code text={JSON.stringify(props.value, null, 2)} />;
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0)
  );
}
