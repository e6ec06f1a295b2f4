// Lists that are loaded as far as somebody looks.

import { useState } from "preact/hooks";
import { several } from "./format";

const MOST = 10_000; // what the service gives at once

export interface Reach {
  limit: number;
  further: () => void;
}

export function useReach(start = 100): Reach {
  const [limit, setLimit] = useState(start);
  return { limit, further: () => setLimit(Math.min(4 * limit, MOST)) };
}

/** Says that there is more than what is shown, and gets it. */
export function More(props: { reach: Reach; is: boolean; one: string; many?: string }) {
  if (!props.is) return null;
  return (
    <div class="row">
      <span class="quiet">The latest {several(props.reach.limit, props.one, props.many)} are shown.</span>
      {props.reach.limit < MOST && (
        <button type="button" onClick={props.reach.further}>
          Show more
        </button>
      )}
    </div>
  );
}
