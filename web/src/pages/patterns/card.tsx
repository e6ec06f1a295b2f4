// A pattern in short.

import { percent, several } from "../../format";
import { address } from "../../route";
import { Stored } from "../../stored";
import { Badge } from "../../ui";
import type { TaskPattern } from "../../verbs";
import { RangeBar } from "./range";

const TONES = { success: "good", failure: "bad", optimization: "warm" } as const;
const ENDS = { success: "succeeded", failure: "failed", optimization: "were quick" } as const;

export const toneOf = (pattern: TaskPattern) => (pattern.retired_at ? "" : TONES[pattern.pattern_type]);

export function PatternCard(props: { pattern: TaskPattern }) {
  const { pattern } = props;
  return (
    <article class={`card ${toneOf(pattern)}`}>
      <div class="card-head">
        <a href={address("patterns", pattern.id)}>
          <Stored text={pattern.description} most={300} />
        </a>
        {pattern.retired_at && <Badge>retired</Badge>}
      </div>
      <RangeBar pattern={pattern} />
      <p class="meta">
        <Support pattern={pattern} />
        {pattern.usage_count > 0 && <span>used {several(pattern.usage_count, "time")}</span>}
        <Votes pattern={pattern} />
      </p>
      <Indicators of={pattern} />
    </article>
  );
}

/** How many tasks it rests on, and what happens without it. */
export function Support(props: { pattern: TaskPattern }) {
  const { hits, support, other_hits, other_support, pattern_type } = props.pattern;
  return (
    <>
      <span>
        {hits} of {support} {ENDS[pattern_type]}
      </span>
      {other_support > 0 && (
        <span>
          without it {other_hits} of {other_support} ({percent(other_hits / other_support)})
        </span>
      )}
    </>
  );
}

function Votes(props: { pattern: TaskPattern }) {
  const { helpful, unhelpful } = props.pattern;
  if (!helpful && !unhelpful) return null;
  return (
    <span>
      {helpful} found it helpful, {unhelpful} not
    </span>
  );
}

/** What it is known by: words, tools and errors, each with its sort. */
export function Indicators(props: { of: TaskPattern }) {
  const { success_indicators, failure_indicators } = props.of;
  if (!success_indicators.length && !failure_indicators.length) return null;
  return (
    <p class="chips">
      {[...success_indicators.map((one) => ["+", one]), ...failure_indicators.map((one) => ["−", one])].map(
        ([sign, one = ""]) => {
          const [sort, ...rest] = one.split(":");
          return (
            <span
              key={`${sign}${one}`}
              class="chip"
              title={sign === "+" ? "where it succeeds" : "where it fails"}
            >
              {sign} <span class="quiet">{rest.length ? `${sort} ` : ""}</span>
              <Stored text={rest.length ? rest.join(":") : one} most={60} />
            </span>
          );
        },
      )}
    </p>
  );
}
