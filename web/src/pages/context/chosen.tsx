// What is in a context, each with what it costs and who vouches for it.

import { Fragment } from "preact";
import { several } from "../../format";
import { useFew } from "../../more";
import { Words } from "../../stored";
import { Badge, MemoryLink, When } from "../../ui";
import type { Chunk } from "../../verbs";
import { relevance, TIERS, TRUSTS, type Trust } from "./words";

const TONES: Partial<Record<Trust, "good" | "bad" | "warm">> = {
  told: "good",
  said: "good",
  learned: "warm",
  untrusted: "bad",
};

const FIRST = 8;

export function Chosen(props: { of: readonly Chunk[] }) {
  const [few, others] = useFew(props.of, FIRST);
  if (!props.of.length) return <p class="quiet">Nothing.</p>;
  return (
    <>
      <ol class="chosen">
        {few.map((one) => (
          <li key={one.key} class={`entry ${one.source}`}>
            <Words text={one.content} />
            <p class="row traits">
              <span title={TRUSTS[one.trust]}>
                <Badge tone={TONES[one.trust] ?? "quiet"}>{one.trust}</Badge>
              </span>
              <span title={TIERS[one.source]}>
                <Badge>{one.source}</Badge>
              </span>
              <Badge>{one.kind}</Badge>
              {one.trimmed && <Badge tone="warm">only its beginning fits</Badge>}
              {one.speaker && <Badge>{one.speaker}</Badge>}
              <span class="quiet">
                {several(one.tokens, "token")} · {relevance(one.relevance)} · <When at={one.at} />
              </span>
              {one.memory && <MemoryLink id={one.memory.id}>Open</MemoryLink>}
            </p>
          </li>
        ))}
      </ol>
      {others}
      <details>
        <summary>Who vouches for what</summary>
        <dl class="pairs">
          {Object.entries(TRUSTS).map(([trust, about]) => (
            <Fragment key={trust}>
              <dt>{trust}</dt>
              <dd>{about}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </>
  );
}
