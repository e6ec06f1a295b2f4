// Loading as far as somebody looks.

import { useRef, useState } from "preact/hooks";
import type { Refused } from "./api";
import { type Loaded, useLoad } from "./load";

/** What was found, whether there is more, and what the service says it left out. */
export interface Part<T> {
  some: T;
  more: boolean;
  degraded?: readonly string[];
}

export interface Pages<T> extends Loaded<T> {
  degraded: readonly string[];
  /** Why the last load failed, of a list that is still there. */
  refused: Refused | undefined;
  busy: boolean;
  /** Nothing when all is there. */
  more: (() => void) | null;
  /** How many there are, if the service gives no more of them. */
  full: number | null;
}

/** Load the first ones, and again whenever what it depends on changes; twice as many each time that more are asked for.
 *
 * The longer list is read as a whole: so none is missing or there twice when others came meanwhile, and to load it
 * again, after a change, does not lose the place. It takes no more than twice the time of the last part.
 */
export function usePages<T>(
  load: (limit: number, signal: AbortSignal) => Promise<Part<T>>,
  depends: readonly unknown[],
  { first, most = 10_000 }: { first: number; most?: number },
): Pages<T> {
  const asked = JSON.stringify(depends);
  const [reach, setReach] = useState({ asked, limit: first });
  const limit = reach.asked === asked ? reach.limit : first;
  const loaded = useLoad(
    async (signal) => ({ ...(await load(limit, signal)), asked, limit }),
    [asked, limit],
  );
  const last = useRef(loaded.value);
  if (loaded.value) last.current = loaded.value;
  // What is shown stays when more of it, or the same again, cannot be had.
  const shown = loaded.value ?? (last.current?.asked === asked ? last.current : undefined);
  const further = shown?.more && shown.limit < most;
  return {
    ...loaded,
    value: shown?.some,
    error: shown ? undefined : loaded.error,
    refused: shown ? loaded.error : undefined,
    degraded: shown?.degraded ?? [],
    busy: loaded.loading,
    more: further
      ? () => loaded.loading || setReach({ asked, limit: Math.min(2 * shown.limit, most) })
      : null,
    full: shown?.more && !further ? shown.limit : null,
  };
}
