// How sure the evidence of a pattern is: as the service computes it, which sends the lower bound only.

import type { TaskPattern } from "../../verbs";

const Z = 1.96; // of a normal distribution, for 95 % on both sides together

export interface Range {
  /** The share that was seen. */
  share: number;
  /** The least and the most that it may be. */
  low: number;
  high: number;
}

/** The interval in which a share lies that was seen as so many hits of a total (Wilson's score interval). */
export function wilson(hits: number, total: number): Range {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = hits / total;
  const square = Z * Z;
  const centre = (share + square / (2 * total)) / (1 + square / total);
  const half =
    (Z / (1 + square / total)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total ** 2));
  return {
    share,
    low: hits ? Math.max(0, centre - half) : 0,
    high: hits < total ? Math.min(1, centre + half) : 1,
  };
}

/** What a pattern's tasks and votes say; a vote counts as much as a task. */
export const rangeOf = (one: TaskPattern): Range =>
  wilson(one.hits + one.helpful, one.support + one.helpful + one.unhelpful);
