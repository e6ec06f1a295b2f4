// Where the budget went: a bar in as many parts as tiers, and the same in numbers.

import { count } from "../../format";
import type { Considered } from "../../verbs";
import { TIERS, tierNames, tokensByTier } from "./words";

export function Spread(props: { entries: readonly Considered[]; total: number; budget: number }) {
  const { entries, total, budget } = props;
  const taken = tokensByTier(entries);
  const chosen = Object.values(taken).reduce((sum, one) => sum + one, 0);
  const parts = [
    ...tierNames.map((tier) => ({ name: tier as string, about: TIERS[tier], tokens: taken[tier] })),
    { name: "frame", about: "The words around it that say it is data", tokens: Math.max(0, total - chosen) },
    { name: "free", about: "Not used", tokens: Math.max(0, budget - total) },
  ];
  const whole = Math.max(1, total, budget);
  return (
    <div class="stack">
      <div class="spread" aria-hidden="true">
        {parts.map(
          (one) =>
            one.tokens > 0 && (
              <span key={one.name} class={one.name} style={{ width: `${(100 * one.tokens) / whole}%` }} />
            ),
        )}
      </div>
      <dl class="spread-key">
        {parts.map((one) => (
          <div key={one.name} title={one.about}>
            <dt>
              <span class={`swatch ${one.name}`} aria-hidden="true" />
              {one.name}
            </dt>
            <dd>{count(one.tokens)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
