// Whether a context helped.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { Field, Panel } from "../../ui";

export interface Rated {
  helpful?: boolean | null;
  note?: string | null;
}

export function Feedback(props: { id: string; before?: Rated; rated: () => void }) {
  const { before = {} } = props;
  const [note, setNote] = useState(before.note ?? "");
  const [helpful, setHelpful] = useState(before.helpful ?? null);
  const doing = useDoing();
  const rate = (verdict: boolean) =>
    doing.run(async () => {
      const said = note.trim();
      await call("context_feedback", { id: props.id, helpful: verdict, note: said || null });
      setHelpful(verdict);
      props.rated();
      return `Noted as ${verdict ? "helpful" : "not helpful"}${said ? ", with your note" : ""}.`;
    });

  return (
    <Panel title="Did it help?">
      <Field label="Note">
        <input
          value={note}
          placeholder="What was missing or wrong, if anything"
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </Field>
      <div class="row">
        <button
          type="button"
          aria-pressed={helpful === true}
          aria-disabled={doing.busy}
          onClick={() => rate(true)}
        >
          Yes
        </button>
        <button
          type="button"
          aria-pressed={helpful === false}
          aria-disabled={doing.busy}
          onClick={() => rate(false)}
        >
          No
        </button>
      </div>
      <Outcome of={doing} />
    </Panel>
  );
}
