// Saying how a task ended.

import { useState } from "preact/hooks";
import { Field, Panel } from "../../ui";

export type How = "succeeded" | "failed" | "cancelled";

export function FinishForm(props: { busy: boolean; finish: (how: How, summary: string) => void }) {
  const [summary, setSummary] = useState("");
  const button = (how: How, name: string) => (
    <button type="button" aria-disabled={props.busy} onClick={() => props.finish(how, summary)}>
      {name}
    </button>
  );
  return (
    <Panel title="Say how it ended">
      <div class="inline-form">
        <Field label="What came of it">
          <textarea
            rows={2}
            value={summary}
            onInput={(event) => setSummary(event.currentTarget.value)}
            placeholder="Merged, and the tests pass"
          />
        </Field>
        <div class="row">
          {button("succeeded", "✓ It succeeded")}
          {button("failed", "✗ It failed")}
          {button("cancelled", "Cancel the task")}
        </div>
      </div>
    </Panel>
  );
}
