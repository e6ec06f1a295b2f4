// Reading what was stored: always as text, however long and whatever it looks like.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "./format";
import type { Pages } from "./paging";
import { Failure } from "./ui";

const LONG = 1200;

/** A stored text. A long one shows its beginning first; the words in `quotes` are marked. */
export function Words(props: { text: string; quotes?: readonly string[] }) {
  const spans = spansOf(props.text, props.quotes ?? []);
  const [whole, setWhole] = useState(false);
  const needed = Math.max(LONG, spans.at(-1)?.[1] ?? 0);
  const long = props.text.length > needed * 1.25;
  const shown = long && !whole ? begin(props.text, needed) : props.text;
  return (
    <div class="words">
      <p class="text" dir="auto">
        {pieces(shown, spans)}
        {long && !whole && "…"}
      </p>
      {long && (
        <button type="button" class="small" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show all ${count(props.text.length)} characters`}
        </button>
      )}
    </div>
  );
}

/** The beginning of a text, not ending in half a character. */
const begin = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");

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

function pieces(text: string, spans: [number, number][]): ComponentChildren {
  const made: ComponentChildren[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    made.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...made, text.slice(at)];
}

/** A value as JSON, for what has no other form. */
export function Json(props: { value: unknown }) {
  return <pre dir="ltr">{JSON.stringify(props.value, null, 2)}</pre>;
}

/** The end of a list: a button for more, or why there is none. */
export function More<T>(props: { of: Pages<T> }) {
  const { more, busy, refused } = props.of;
  const end = useRef<HTMLParagraphElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    // The button is gone with what it was for: who pressed it by key stays at the end of the list.
    if (asked.current && !more) end.current?.focus({ preventScroll: true });
  }, [more]);
  if (refused) return <Failure error={refused} again={more ?? (() => undefined)} />;
  if (more)
    return (
      <button
        type="button"
        class="more"
        aria-disabled={busy}
        onClick={() => {
          asked.current = true;
          more();
        }}
      >
        {busy ? "Loading…" : "More"}
      </button>
    );
  return asked.current ? (
    <p class="quiet" tabIndex={-1} ref={end}>
      That is all.
    </p>
  ) : null;
}

/** That something was done. */
export function Done(props: { children: ComponentChildren }) {
  return (
    <p class="notice done" role="status">
      {props.children}
    </p>
  );
}

/** What the service left out of an answer, and why. */
export function LeftOut(props: { degraded: readonly string[] }) {
  if (!props.degraded.length) return null;
  return (
    <div class="notice left-out" role="status">
      <p>Not all of it:</p>
      <ul>
        {props.degraded.map((one) => (
          <li key={one} class="text">
            {one}
          </li>
        ))}
      </ul>
    </div>
  );
}
