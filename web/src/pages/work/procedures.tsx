// How things are done.

import { call } from "../../api";
import { ago } from "../../format";
import { More } from "../../more";
import { usePages } from "../../paging";
import { user } from "../../state";
import { Json, Stored, Words } from "../../stored";
import { Empty, Show } from "../../ui";
import { Whose } from "./whose";

export function ProceduresTab() {
  const loaded = usePages(
    async (limit, signal) => {
      const { procedures, next } = await call("procedures.list", { user_id: user.value, limit }, signal);
      return { some: procedures, more: next !== null };
    },
    [user.value],
    { first: 100 },
  );
  return (
    <Show of={loaded}>
      {(procedures) => (
        <div class="stack">
          {procedures.map((one) => (
            <article key={one.id} class="card">
              <h2>
                <Stored text={one.name} most={200} />
              </h2>
              {one.description && <Words text={one.description} />}
              <ol class="numbered">
                {one.steps.map((step, place) => (
                  <li key={place}>
                    {typeof step === "string" ? <Words text={step} most={400} /> : <Json value={step} />}
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
          <More of={loaded} />
        </div>
      )}
    </Show>
  );
}
