// A share and how sure it is, as a bar: the dot is what was seen, the band what it may be.

import { percent } from "../../format";
import type { TaskPattern } from "../../verbs";
import { rangeOf } from "./wilson";

export function RangeBar(props: { pattern: TaskPattern }) {
  const { pattern } = props;
  const { share, low, high } = rangeOf(pattern);
  const moved = pattern.adjustment !== 0;
  const said =
    `${percent(share)} seen, between ${percent(low)} and ${percent(high)} with 95 % certainty` +
    `, confidence ${percent(pattern.confidence_score)}`;
  return (
    <div class="range">
      <svg viewBox="0 0 200 20" role="img" aria-label={said} preserveAspectRatio="none">
        <rect class="range-ground" x="0" y="8" width="200" height="4" rx="2" />
        <rect
          class="range-band"
          x={200 * low}
          y="5"
          width={Math.max(2, 200 * (high - low))}
          height="10"
          rx="3"
        />
        <rect
          class="range-least"
          x={Math.min(197, 200 * pattern.confidence_score)}
          y="1"
          width="3"
          height="18"
        />
        <rect
          class="range-seen"
          x={Math.min(195, Math.max(0, 200 * share - 2.5))}
          y="5"
          width="5"
          height="10"
        />
      </svg>
      <p class="meta">
        <span>
          confidence <strong>{percent(pattern.confidence_score)}</strong>
          {moved &&
            ` (${pattern.adjustment > 0 ? "+" : "−"}${percent(Math.abs(pattern.adjustment))} by hand)`}
        </span>
        <span>
          seen {percent(share)}, between {percent(low)} and {percent(high)}
        </span>
      </p>
    </div>
  );
}
