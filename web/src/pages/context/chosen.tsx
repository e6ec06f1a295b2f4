// What is in a context, each with what it costs and who vouches for it.

import { several } from "../../format";
import { Words } from "../../reading";
import { Badge, MemoryLink, Temperature, When } from "../../ui";
import type { Chunk } from "../../verbs";
import { relevance, TIERS, TRUSTS, type Trust } from "./words";

const TONES: Partial<Record<Trust, "good" | "bad" | "warm">> = {
  told: "good",
  said: "good",
  learned: "warm",
  untrusted: "bad",
};

export function Chosen(props: { of: readonly Chunk[] }) {
  if (!props.of.length) return <p class="quiet">Nothing.</p>;
  return (
    <ol class="chosen">
      {props.of.map((one) => (
        <li key={one.key} class={`tier ${one.source}`}>
          <Words text={one.content} />
          <p class="row meta">
            <span title={TRUSTS[one.trust]}>
              <Badge tone={TONES[one.trust] ?? "quiet"}>{one.trust}</Badge>
            </span>
            <span title={TIERS[one.source]}>
              <Badge>{one.source}</Badge>
            </span>
            <Badge>{one.kind}</Badge>
            {one.memory && <Temperature value={one.memory.temperature} sacred={one.memory.sacred} />}
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
  );
}
