// How a piece of work stands: told by a sign and a word, not by the colour alone.

import { Badge } from "../../ui";
import type { Task } from "../../verbs";

export type Status = Task["status"];
type Tone = "good" | "bad" | "warm" | "quiet";

const LOOKS: Record<Status, { sign: string; tone: Tone }> = {
  pending: { sign: "○", tone: "quiet" },
  running: { sign: "▶", tone: "warm" },
  blocked: { sign: "‖", tone: "warm" },
  succeeded: { sign: "✓", tone: "good" },
  failed: { sign: "✗", tone: "bad" },
  cancelled: { sign: "–", tone: "quiet" },
};

export const isOpen = (status: Status): boolean => ["pending", "running", "blocked"].includes(status);

/** Whether a status is one that was asked for; nothing asks for all. */
export const isWanted = (status: Status, wanted: string): boolean =>
  !wanted || (wanted === "open" ? isOpen(status) : status === wanted);

export const toneOf = (status: Status): Tone => LOOKS[status].tone;

export function StatusBadge(props: { status: Status }) {
  const { sign, tone } = LOOKS[props.status];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {props.status}
    </Badge>
  );
}

/** How something ended. */
export function EndBadge(props: { success: boolean }) {
  return (
    <Badge tone={props.success ? "good" : "bad"}>
      <span aria-hidden="true">{props.success ? "✓" : "✗"}</span> {props.success ? "succeeded" : "failed"}
    </Badge>
  );
}
