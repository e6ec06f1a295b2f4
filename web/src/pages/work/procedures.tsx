// How things are done.

import { call } from "../../api";
import { ago } from "../../format";
import { useLoad } from "../../load";
import { More, useReach } from "../../more";
import { user } from "../../state";
import { Json, Long, Stored } from "../../stored";
import { Empty, Show } from "../../ui";
import { Whose } from "./whose";

export function ProceduresTab() {
  const reach = useReach();
  const loaded = useLoad(
    (signal) => call("procedures.list", { user_id: user.value, limit: reach.limit }, signal),
    [user.value, reach.limit],
  );
  return (
    <Show of={loaded}>
      {({ procedures, next }) => (
        <div class="stack">
          {procedures.map((one) => (
            <article key={one.id} class="card">
              <h2>
                <Stored text={one.name} most={200} />
              </h2>
              {one.description && <Long text={one.description} />}
              <ol class="numbered">
                {one.steps.map((step, place) => (
                  <li key={place}>
                    {typeof step === "string" ? <Long text={step} most={400} /> : <Json value={step} />}
                  </li>
                ))}
              </ol>
              <p class="meta">
                <span>changed {ago(one.updated_at)}</span>
                <Whose of={one} />
              </p>
            </article>
          ))}
          {!procedures.length && (
            <Empty>
              <p>No procedure was saved yet.</p>
              <p>
                <code>memory.procedures.save</code> keeps how something is done, step by step.
              </p>
            </Empty>
          )}
          <More reach={reach} is={next !== null} one="procedure" />
        </div>
      )}
    </Show>
  );
}
