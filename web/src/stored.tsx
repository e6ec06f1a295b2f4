// Text from the store: always as text, kept from what it might do to the page around it.

import { useState } from "preact/hooks";
import { brief, count } from "./format";

const LONG = 600;

/** A text as it is: by itself, so that its direction turns nothing else around. */
export function Stored(props: { text: string; most?: number }) {
  return <bdi class="stored">{props.most ? brief(props.text, props.most) : props.text}</bdi>;
}

/** A text of any length: the beginning, and all of it for whoever asks. */
export function Long(props: { text: string; code?: boolean; most?: number }) {
  const [whole, setWhole] = useState(false);
  const most = props.most ?? LONG;
  const shown = whole ? props.text : brief(props.text, most);
  return (
    <div class="long">
      {props.code ? (
        <pre class="stored" dir="auto">
          {shown}
        </pre>
      ) : (
        <p class="stored" dir="auto">
          {shown}
        </p>
      )}
      {props.text.length > most && (
        <button type="button" class="plain" onClick={() => setWhole(!whole)} aria-expanded={whole}>
          {whole ? "Show less" : `Show all ${count(props.text.length)} characters`}
        </button>
      )}
    </div>
  );
}

/** A value as JSON; nothing for what is empty. */
export function Json(props: { value: unknown }) {
  if (isEmpty(props.value)) return null;
  return <Long code text={JSON.stringify(props.value, null, 2)} />;
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0)
  );
}
