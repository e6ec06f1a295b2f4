// How a pattern changed: its confidence from version to version, as a line and in words.

import { percent } from "../../format";
import { When } from "../../ui";
import type { PatternVersion, TaskPattern } from "../../verbs";

interface Known {
  version: PatternVersion;
  confidence: number;
}

/** The confidence of each version: a version says what it changed from, so we go back from what is so now. */
function known(pattern: TaskPattern, versions: PatternVersion[]): Known[] {
  let confidence = pattern.confidence_score;
  const found = versions.toReversed().map((version) => {
    const one = { version, confidence };
    const [former] = (version.changed.confidence_score as [number, number] | undefined) ?? [confidence];
    confidence = former;
    return one;
  });
  return found.reverse();
}

export function Evolution(props: { pattern: TaskPattern; versions: PatternVersion[] }) {
  const all = known(props.pattern, props.versions);
  return (
    <>
      {all.length > 1 && <Line of={all} />}
      <ol class="versions">
        {all.toReversed().map(({ version, confidence }) => (
          <li key={version.version}>
            <strong>{percent(confidence)}</strong>
            <span>
              version {version.version}: {version.reason}
              {said(version)}
            </span>
            <span class="quiet">
              <When at={version.at} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What a version changed beside the confidence, in numbers. */
function said(version: PatternVersion): string {
  const { support, helpful, unhelpful, retired_at } = version.changed as Record<string, [unknown, unknown]>;
  const parts = [
    support && `${support[0]} → ${support[1]} tasks`,
    helpful && "found helpful",
    unhelpful && "found not helpful",
    retired_at && (retired_at[1] ? "retired" : "in use again"),
  ].filter(Boolean);
  return parts.length ? ` (${parts.join(", ")})` : "";
}

const WIDE = 300;
const HIGH = 60;

function Line(props: { of: Known[] }) {
  const points = props.of.map(({ version, confidence }, place) => ({
    key: version.version,
    x: 6 + ((WIDE - 12) * place) / (props.of.length - 1),
    y: 6 + (HIGH - 12) * (1 - confidence),
  }));
  const said = `Confidence from ${percent(props.of[0]?.confidence ?? 0)} to ${percent(props.of.at(-1)?.confidence ?? 0)}`;
  return (
    <svg class="evolution" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={said}>
      <line class="evolution-ground" x1="0" y1={HIGH - 6} x2={WIDE} y2={HIGH - 6} />
      <polyline points={points.map((one) => `${one.x},${one.y}`).join(" ")} />
      {points.map((one) => (
        <circle key={one.key} cx={one.x} cy={one.y} r="4" />
      ))}
    </svg>
  );
}
