// One task: what it is, step by step what was done, what was decided, and how it ended.

import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { duration, several } from "../../format";
import { useLoad } from "../../load";
import { address } from "../../route";
import { Json, Stored, Words } from "../../stored";
import { Badge, Empty, Page, Panel, Show, When } from "../../ui";
import type { Execution, Task } from "../../verbs";
import { DecisionCard } from "./decisions";
import { FinishForm } from "./finish";
import { EndBadge, isOpen, StatusBadge } from "./status";
import { Steps } from "./steps";
import { Whose } from "./whose";

export function TaskView(props: { id: string }) {
  const { id } = props;
  const loaded = useLoad(
    async (signal) => {
      const [task, steps, decided, ended] = await Promise.all([
        call("tasks.get", { id }, signal),
        call("tasks.steps", { task_id: id, limit: 1000 }, signal),
        call("decisions.list", { task_id: id }, signal),
        call("experience.list", { task_id: id }, signal),
      ]);
      return { task, steps: steps.steps, decisions: decided.decisions, executions: ended.executions };
    },
    [id],
  );
  const doing = useDoing();
  return (
    <Page
      title="Task"
      about="What was done, step by step, and what came of it."
      tools={<a href={address("work")}>← All work</a>}
    >
      <Show of={loaded}>
        {({ task, steps, decisions, executions }) => (
          <div class="stack">
            <About task={task} />
            <Outcome of={doing} focus />
            {isOpen(task.status) && (
              <FinishForm
                busy={doing.busy}
                finish={(how, summary) =>
                  doing.run(async () => {
                    const ended =
                      how === "cancelled"
                        ? await call("tasks.cancel", { id, summary })
                        : await call("tasks.finish", { id, success: how === "succeeded", summary });
                    loaded.reload();
                    return `The task has ${ended.status === "cancelled" ? "been cancelled" : ended.status}.`;
                  })
                }
              />
            )}
            {executions.map((one) => (
              <Ending key={one.id} execution={one} />
            ))}
            <Panel title={several(steps.length, "step")}>
              {steps.length ? (
                <Steps steps={steps} />
              ) : (
                <p class="quiet">
                  No step was written down: <code>memory.tasks.step</code> does it.
                </p>
              )}
            </Panel>
            <h2>{several(decisions.length, "decision")}</h2>
            {decisions.map((one) => (
              <DecisionCard key={one.id} decision={one} changed={loaded.reload} />
            ))}
            {!decisions.length && (
              <Empty>
                <p>
                  Nothing was decided here: <code>memory.decisions.log</code> with <code>task_id</code> says
                  who decided what, and why.
                </p>
              </Empty>
            )}
          </div>
        )}
      </Show>
    </Page>
  );
}

function About(props: { task: Task }) {
  const { task } = props;
  const took =
    task.started_at && task.finished_at ? Date.parse(task.finished_at) - Date.parse(task.started_at) : null;
  return (
    <Panel>
      <div class="card-head">
        <strong>
          <Words text={task.description} />
        </strong>
        <StatusBadge status={task.status} />
        {task.archived_at && <Badge>in long-term memory</Badge>}
      </div>
      <p class="meta">
        <span>
          made <When at={task.created_at} />
        </span>
        {task.finished_at && (
          <span>
            ended <When at={task.finished_at} />
          </span>
        )}
        {took !== null && <span>took {duration(took)}</span>}
        <Whose of={task} />
        <span>
          id <Stored text={task.id} most={60} />
        </span>
      </p>
      {task.summary && <Words text={task.summary} />}
      <Json value={task.metadata} />
    </Panel>
  );
}

/** How it ended, as it is remembered for the next time. */
function Ending(props: { execution: Execution }) {
  const { execution } = props;
  return (
    <article class={`card ${execution.success ? "good" : "bad"}`}>
      <div class="card-head">
        <strong>
          Kept as experience, <When at={execution.created_at} />
        </strong>
        <EndBadge success={execution.success} />
      </div>
      {execution.errors.map((error, place) => (
        <Words key={place} code text={error} />
      ))}
      {execution.reused > 0 && <p class="meta">handed out {several(execution.reused, "time")} since</p>}
    </article>
  );
}
