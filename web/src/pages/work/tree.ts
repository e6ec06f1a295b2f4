// Goals with what belongs to them.

import type { Goal, Task } from "../../verbs";
import { isOpen, isWanted } from "./status";

export interface Branch {
  goal: Goal;
  tasks: Task[];
  parts: Branch[];
}

export interface Grown {
  branches: Branch[];
  /** Tasks of no goal, or of one that is not here. */
  loose: Task[];
}

/** Goals as a tree with their tasks: what is wanted, and what leads to it. */
export function grow(goals: Goal[], tasks: Task[], wanted: string): Grown {
  const known = new Set(goals.map((goal) => goal.id));
  const parts = grouped(goals, (goal) => (known.has(goal.parent_id ?? "") ? goal.parent_id : null));
  const shown = tasks.filter((task) => isWanted(task.status, wanted));
  const done = grouped(shown, (task) => (known.has(task.goal_id ?? "") ? task.goal_id : null));
  const branch = (goal: Goal): Branch => ({
    goal,
    tasks: done.get(goal.id) ?? [],
    parts: ordered(parts.get(goal.id) ?? []).map(branch),
  });
  const branches = ordered(parts.get(null) ?? []).map(branch);
  return { branches: branches.flatMap((one) => pruned(one, wanted)), loose: done.get(null) ?? [] };
}

/** Open ones first, the most urgent of them first; the others stay as they came, the latest first. */
function ordered(goals: Goal[]): Goal[] {
  return goals.toSorted(
    (one, other) =>
      Number(isOpen(other.status)) - Number(isOpen(one.status)) ||
      (isOpen(one.status) ? other.priority - one.priority : 0),
  );
}

function grouped<T>(all: T[], by: (one: T) => string | null): Map<string | null, T[]> {
  const found = new Map<string | null, T[]>();
  for (const one of all) {
    const group = found.get(by(one));
    if (group) group.push(one);
    else found.set(by(one), [one]);
  }
  return found;
}

function pruned(branch: Branch, wanted: string): Branch[] {
  const parts = branch.parts.flatMap((one) => pruned(one, wanted));
  const kept = isWanted(branch.goal.status, wanted) || branch.tasks.length > 0 || parts.length > 0;
  return kept ? [{ ...branch, parts }] : [];
}
