// Each time that a task ended: what patterns are learned from.

import { call } from "../../api";
import { several } from "../../format";
import { More } from "../../more";
import { usePages } from "../../paging";
import { address } from "../../route";
import { user } from "../../state";
import { Stored, Words } from "../../stored";
import { Badge, Empty, Show, When } from "../../ui";
import type { Execution } from "../../verbs";
import { EndBadge } from "./status";
import { Whose } from "./whose";

export function ExecutionsTab(props: { status: string }) {
  const success = props.status ? props.status === "succeeded" : null;
  const loaded = usePages(
    async (limit, signal) => {
      const takes = { user_id: user.value, success, limit };
      const { executions, next } = await call("experience.list", takes, signal);
      return { some: executions, more: next !== null };
    },
    [user.value, success],
    { first: 100 },
  );
  return (
    <Show of={loaded}>
      {(executions) => (
        <div class="stack">
          {executions.map((one) => (
            <ExecutionCard key={one.id} execution={one} />
          ))}
          {!executions.length && (
            <Empty>
              <p>No task has {props.status || "ended"} yet.</p>
              <p>
                <code>memory.tasks.finish</code> and <code>memory.experience.store</code> keep how a task
                ended.
              </p>
            </Empty>
          )}
          <More of={loaded} />
        </div>
      )}
    </Show>
  );
}

function ExecutionCard(props: { execution: Execution }) {
  const { execution } = props;
  return (
    <article class={`card ${execution.success ? "good" : "bad"}`}>
      <div class="card-head">
        <a href={address("work", `task:${execution.task_id}`)}>
          <Stored text={execution.description} most={200} />
        </a>
        {execution.type && (
          <Badge>
            <Stored text={execution.type} most={40} />
          </Badge>
        )}
        <EndBadge success={execution.success} />
      </div>
      {execution.summary !== execution.description && execution.summary && (
        <Words text={execution.summary} most={400} />
      )}
      {execution.errors.map((error, place) => (
        <Words key={place} code text={error} most={300} />
      ))}
      {execution.tools.length > 0 && (
        <p class="chips">
          {execution.tools.map((tool, place) => (
            <span key={place} class="chip">
              <Stored text={tool} most={40} />
            </span>
          ))}
        </p>
      )}
      <p class="meta">
        <span>
          <When at={execution.created_at} />
        </span>
        {execution.reused > 0 && <span>handed out {several(execution.reused, "time")}</span>}
        <Whose of={execution} />
      </p>
    </article>
  );
}
