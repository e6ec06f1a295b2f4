// What the list is asked for: all of it is in the address, so that it can be linked to.

import type { Takes } from "../../api";
import { address, route, stay } from "../../route";
import type { Memory } from "../../verbs";

export type Kind = Memory["kind"];

export interface Asked {
  query: string;
  kinds: Kind[];
  tag: string;
  since: string;
  until: string;
  asOf: string;
  cold: boolean;
}

/** The kinds of memory, and what each is. */
export const KINDS: Record<Kind, string> = {
  episode: "A message, word for word",
  fact: "Something that is so",
  preference: "What someone likes or wants",
  decision: "What was decided, and why",
  incident: "What went wrong",
  procedure: "How something is done",
  knowledge: "A passage of a document",
  execution: "How a task went",
  summary: "What finished work or old events came to",
  pattern: "What repeats",
  config: "A setting that changed",
};

export function asked(): Asked {
  const { query } = route.value;
  const text = (name: string) => query.get(name) ?? "";
  return {
    query: text("q"),
    kinds: text("kinds").split(",").filter(Boolean) as Kind[],
    tag: text("tag"),
    since: text("since"),
    until: text("until"),
    asOf: text("as_of"),
    cold: text("cold") === "yes",
  };
}

/** The same, as it is written in an address. */
export function written(of: Asked): Record<string, string | null> {
  return {
    q: of.query,
    kinds: of.kinds.join(","),
    tag: of.tag,
    since: of.since,
    until: of.until,
    as_of: of.asOf,
    cold: of.cold ? "yes" : null,
  };
}

export function ask(changes: Partial<Asked>): void {
  stay("memories", null, written({ ...asked(), ...changes }));
}

/** The address of a memory, from which the way back leads to the same list. */
export const opened = (id: string): string => address("memories", id, written(asked()));

/** The address of the list with another tag. */
export const tagged = (tag: string): string => address("memories", null, { tag });

/** How many filters narrow the list, beside the words that are searched for. */
export const narrowed = (of: Asked): number =>
  [of.kinds.length, of.tag, of.since, of.until, of.asOf, of.cold].filter(Boolean).length;

/** What the service is asked for: days begin and end where the reader is. */
export function where(of: Asked, user: string): Takes<"get_all"> {
  return {
    user_id: user,
    kinds: of.kinds.length ? of.kinds : null,
    tags: of.tag ? [of.tag] : null,
    since: of.since ? startOf(of.since) : null,
    until: of.until ? endOf(of.until) : null,
    as_of: of.asOf ? endOf(of.asOf) : null,
  };
}

const DAY = 86_400_000;
const startOf = (day: string): string => shifted(day, 0);
const endOf = (day: string): string => shifted(day, DAY - 1);

/** What is no day goes to the service as it is, which says so better. */
function shifted(day: string, by: number): string {
  const start = new Date(`${day}T00:00`).getTime();
  return Number.isNaN(start) ? day : new Date(start + by).toISOString();
}
