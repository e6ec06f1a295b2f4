// Saying whether a pattern helped.

import { useState } from "preact/hooks";
import { Field } from "../../ui";

export function FeedbackForm(props: {
  busy: boolean;
  rate: (helpful: boolean, note: string | null) => void;
}) {
  const [note, setNote] = useState("");
  const rate = (helpful: boolean) => {
    props.rate(helpful, note.trim() || null);
    setNote("");
  };
  return (
    <div class="inline-form">
      <Field label="A note, if you like">
        <input value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
      <div class="row">
        <button type="button" disabled={props.busy} onClick={() => rate(true)}>
          ✓ Helpful
        </button>
        <button type="button" disabled={props.busy} onClick={() => rate(false)}>
          ✗ Not helpful
        </button>
      </div>
    </div>
  );
}
