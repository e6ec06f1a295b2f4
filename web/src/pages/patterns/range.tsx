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
      <svg role="img" aria-label={said}>
        <rect class="range-ground" x="0" y="8" width="100%" height="4" rx="2" />
        <rect
          class="range-band"
          x={at(low)}
          y="5"
          width={at(Math.max(0.01, high - low))}
          height="10"
          rx="5"
        />
        <circle class="range-seen" cx={at(share)} cy="10" r="5" />
        <line
          class="range-least"
          x1={at(pattern.confidence_score)}
          x2={at(pattern.confidence_score)}
          y1="0"
          y2="20"
        />
      </svg>
      <p class="meta">
        <span>
          confidence <strong>{percent(pattern.confidence_score)}</strong>
          {moved &&
            ` (${pattern.adjustment > 0 ? "+" : "−"}${percent(Math.abs(pattern.adjustment))} by hand)`}
        </span>
        <span>
          seen {percent(share)}
          {pattern.helpful + pattern.unhelpful > 0 && " with votes"}, between {percent(low)} and{" "}
          {percent(high)}
        </span>
      </p>
    </div>
  );
}

const at = (share: number): string => `${100 * share}%`;
