// What went wrong with something like this before.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { percent } from "../../format";
import { useLoad, useRested } from "../../load";
import { address } from "../../route";
import { user } from "../../state";
import { Stored, Words } from "../../stored";
import { Field, Panel, Show } from "../../ui";
import type { Caution, SimilarTask } from "../../verbs";

export function Warn() {
  const [typed, setTyped] = useState("");
  const action = useRested(typed.trim(), 300);
  const loaded = useLoad(
    async (signal) =>
      action ? await call("experience.warn", { action, user_id: user.value }, signal) : null,
    [action, user.value],
  );
  return (
    <Panel title="Warn me">
      <Field label="What you are about to do">
        <input
          type="search"
          class="wide"
          placeholder="deploy the payment service"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </Field>
      <div aria-live="polite">
        {action ? (
          <Show of={loaded}>{(caution) => caution && <Said of={caution} />}</Show>
        ) : (
          <p class="quiet">Says whether something like it failed here before, and what helped.</p>
        )}
      </div>
    </Panel>
  );
}

function Said(props: { of: Caution }) {
  const { failed, total, risk, message, failures = [], fixes = [] } = props.of;
  if (!total) return <p>Nothing like it was done here before.</p>;
  if (!failed) return <p class="fine">✓ Something like it was done {total} times, and never failed.</p>;
  return (
    <div class="stack">
      <p class="risk">
        <meter
          min={0}
          max={1}
          low={0.25}
          high={0.5}
          optimum={0}
          value={risk}
          aria-label="Share that failed"
        />{" "}
        {percent(risk)} failed ({failed} of {total})
      </p>
      {message && <Words text={message} />}
      <Tasks title="What failed" of={failures.slice(0, 3)} />
      <Tasks title="What worked" of={fixes} />
    </div>
  );
}

function Tasks(props: { title: string; of: SimilarTask[] }) {
  if (!props.of.length) return null;
  return (
    <div>
      <h3>{props.title}</h3>
      <ul class="similar-tasks">
        {props.of.map((one) => (
          <li key={one.memory_id}>
            <a href={address("work", `task:${one.task_id}`)}>
              <Stored text={one.summary} most={120} />
            </a>{" "}
            <span class="quiet">{percent(one.similarity_score)} alike</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
