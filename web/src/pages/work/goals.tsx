// Goals as a tree, each with its tasks.

import { call } from "../../api";
import { ago, several } from "../../format";
import { More, useFew } from "../../more";
import { usePages } from "../../paging";
import { address } from "../../route";
import { user } from "../../state";
import { Stored } from "../../stored";
import { Badge, Empty, Panel, Show } from "../../ui";
import type { Task } from "../../verbs";
import { isOpen, StatusBadge } from "./status";
import { type Branch, grow } from "./tree";
import { Whose } from "./whose";

const FEW = 8; // tasks of a goal at first, the open ones before the others
const DEEPEST = 6; // goals within goals that are set in further: a phone is narrow

export function GoalsTab(props: { status: string }) {
  const loaded = usePages(
    async (limit, signal) => {
      const of = { user_id: user.value, limit };
      const [goals, tasks] = await Promise.all([
        call("goals.list", of, signal),
        call("tasks.list", of, signal),
      ]);
      return { some: { ...goals, ...tasks }, more: Boolean(goals.next || tasks.next) };
    },
    [user.value],
    { first: 500 },
  );
  return (
    <Show of={loaded}>
      {({ goals, tasks }) => {
        if (!goals.length && !tasks.length) return <NoWork />;
        const { branches, loose } = grow(goals, tasks, props.status);
        if (!branches.length && !loose.length)
          return <Empty>No goal or task is {props.status}: choose another status.</Empty>;
        return (
          <div class="stack">
            {branches.map((one) => (
              <section key={one.goal.id} class="panel">
                <GoalBranch branch={one} depth={0} all={Boolean(props.status)} />
              </section>
            ))}
            {loose.length > 0 && (
              <Panel title="Tasks without a goal">
                <TaskList tasks={loose} />
              </Panel>
            )}
            <More of={loaded} />
          </div>
        );
      }}
    </Show>
  );
}

function GoalBranch(props: { branch: Branch; depth: number; all: boolean }) {
  const { goal, tasks, parts } = props.branch;
  const ended = tasks.filter((task) => !isOpen(task.status)).length;
  return (
    <details class="goal" open={props.all || isOpen(goal.status)}>
      <summary>
        <span class="card-head">
          <strong>
            <Stored text={goal.description} most={300} />
          </strong>
          <StatusBadge status={goal.status} />
          {goal.priority !== 0 && <Badge>priority {goal.priority}</Badge>}
        </span>
      </summary>
      <div class="goal-body">
        <p class="meta">
          <span>
            {tasks.length ? `${ended} of ${several(tasks.length, "task")} ended` : "no tasks of its own"}
          </span>
          <span>changed {ago(goal.updated_at)}</span>
          <Whose of={goal} />
        </p>
        {goal.summary && <Stored text={goal.summary} most={600} />}
        {tasks.length > 0 && <TaskList tasks={tasks} />}
        {parts.length > 0 && (
          <ul class={props.depth < DEEPEST ? "goal-parts" : "goal-parts level"}>
            {parts.map((one) => (
              <li key={one.goal.id}>
                <GoalBranch branch={one} depth={props.depth + 1} all={props.all} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

function TaskList(props: { tasks: Task[] }) {
  const ordered = props.tasks.toSorted((one, other) => +isOpen(other.status) - +isOpen(one.status));
  const [few, others] = useFew(ordered, FEW);
  return (
    <ul class="task-list">
      {few.map((task) => (
        <li key={task.id}>
          <a href={address("work", `task:${task.id}`)}>
            <Stored text={task.description} most={200} />
          </a>
          <StatusBadge status={task.status} />
          <span class="meta">{ago(task.updated_at)}</span>
        </li>
      ))}
      {others && <li>{others}</li>}
    </ul>
  );
}

function NoWork() {
  return (
    <Empty>
      <p>There are no goals or tasks yet.</p>
      <p>
        An agent sets goals with <code>memory.goals.save</code> and works with <code>memory.tasks.start</code>
        , <code>step</code> and <code>finish</code>; <code>emberkeep demo</code> fills a store to look at.
      </p>
    </Empty>
  );
}
