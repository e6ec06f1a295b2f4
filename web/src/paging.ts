// Loading what comes by pages.

import { useState } from "preact/hooks";
import { Refused } from "./api";
import { type Loaded, useLoad } from "./load";

/** One page, where the next one starts, and what the service says it left out. */
export interface Part<T, C> {
  some: T[];
  next: C | null;
  degraded?: string[];
}

export interface Pages<T> extends Loaded<T[]> {
  degraded: string[];
  /** Why the last "More" failed, if it did. */
  refused: Refused | undefined;
  busy: boolean;
  /** Nothing when all is there. */
  more: (() => void) | null;
}

interface Further<T, C> extends Part<T, C> {
  /** The first page that these follow; those of another one are forgotten. */
  after: Part<T, C>;
  refused?: Refused | undefined;
  busy: boolean;
}

/** Load the first page, and again whenever what it depends on changes; further ones when asked for. */
export function usePages<T, C>(
  load: (at: C | null, signal: AbortSignal) => Promise<Part<T, C>>,
  depends: readonly unknown[],
): Pages<T> {
  const first = useLoad((signal) => load(null, signal), depends);
  const [kept, setKept] = useState<Further<T, C>>();
  const start = first.value;
  const further = start && kept?.after === start ? kept : undefined;
  const next = further ? further.next : (start?.next ?? null);

  async function more(): Promise<void> {
    if (!start || next === null || further?.busy) return;
    const before: Further<T, C> = further ?? { after: start, some: [], next, busy: false };
    setKept({ ...before, refused: undefined, busy: true });
    let after: Further<T, C>;
    try {
      const part = await load(next, new AbortController().signal);
      after = { ...part, after: start, some: [...before.some, ...part.some], busy: false };
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused(0, "bug", String(error));
      after = { ...before, refused, busy: false };
    }
    // Another first page may have come meanwhile.
    setKept((now) => (now?.after === start ? after : now));
  }

  return {
    ...first,
    value: start && [...start.some, ...(further?.some ?? [])],
    degraded: start?.degraded ?? [],
    refused: further?.refused,
    busy: further?.busy ?? false,
    more: next === null ? null : () => void more(),
  };
}
