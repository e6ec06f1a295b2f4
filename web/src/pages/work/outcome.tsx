// Saying how a decision turned out.

import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../ui";

const HOW = { "": "Neither well nor badly", well: "Well", badly: "Badly" };
type How = keyof typeof HOW;

export function OutcomeForm(props: {
  former: string;
  well: boolean | null;
  busy: boolean;
  close: () => void;
  set: (outcome: string, success: boolean | null) => void;
}) {
  const [said, setSaid] = useState(props.former);
  const [how, setHow] = useState<How>(props.well === null ? "" : props.well ? "well" : "badly");
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        props.set(said, how ? how === "well" : null);
      }}
    >
      <Field label="What came of it">
        <textarea
          ref={first}
          rows={2}
          required
          value={said}
          onInput={(event) => setSaid(event.currentTarget.value)}
        />
      </Field>
      <Field label="How it turned out">
        <select value={how} onChange={(event) => setHow(event.currentTarget.value as How)}>
          {Object.entries(HOW).map(
            ([key, name]) =>
              (key || props.well === null) && ( // what was said can be changed, not unsaid
                <option key={key} value={key}>
                  {name}
                </option>
              ),
          )}
        </select>
      </Field>
      <div class="row">
        <button type="submit" aria-disabled={props.busy}>
          Keep the outcome
        </button>
        <button type="button" onClick={props.close}>
          Leave it
        </button>
      </div>
    </form>
  );
}
