// Saying whether a pattern helped.

import { useEffect, useState } from "preact/hooks";
import type { Doing } from "../../doing";
import { Field } from "../../ui";

export function FeedbackForm(props: { doing: Doing; rate: (helpful: boolean, note: string | null) => void }) {
  const [note, setNote] = useState("");
  const { busy, done } = props.doing;
  useEffect(() => {
    if (done) setNote(""); // what was refused may be sent again
  }, [done]);
  const rate = (helpful: boolean) => props.rate(helpful, note.trim() || null);
  return (
    <div class="inline-form">
      <Field label="A note, if you like">
        <input value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
      <div class="row">
        <button type="button" aria-disabled={busy} onClick={() => rate(true)}>
          ✓ Helpful
        </button>
        <button type="button" aria-disabled={busy} onClick={() => rate(false)}>
          ✗ Not helpful
        </button>
      </div>
    </div>
  );
}
