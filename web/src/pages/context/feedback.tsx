// Whether a context helped.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { Done } from "../../reading";
import { Failure, Field, Panel } from "../../ui";

export interface Rated {
  helpful?: boolean | null;
  note?: string | null;
}

export function Feedback(props: { id: string; before?: Rated; rated: () => void }) {
  const { before = {} } = props;
  const [note, setNote] = useState(before.note ?? "");
  const [helpful, setHelpful] = useState(before.helpful ?? null);
  const [told, setTold] = useState<string | null>(null);
  const [error, setError] = useState<Error>();

  async function rate(verdict: boolean): Promise<void> {
    setError(undefined);
    try {
      const said = note.trim();
      await call("context_feedback", { id: props.id, helpful: verdict, note: said || null });
      setHelpful(verdict);
      setTold(`Noted as ${verdict ? "helpful" : "not helpful"}${said ? ", with your note" : ""}.`);
      props.rated();
    } catch (refused) {
      setError(refused as Error);
    }
  }

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
        <button type="button" aria-pressed={helpful === true} onClick={() => void rate(true)}>
          Yes
        </button>
        <button type="button" aria-pressed={helpful === false} onClick={() => void rate(false)}>
          No
        </button>
      </div>
      {told && <Done>{told}</Done>}
      {error && <Failure error={error} />}
    </Panel>
  );
}
