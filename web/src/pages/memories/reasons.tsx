// Why a hit has its rank: what each channel was worth, and what else was weighed.

import { Badge, Temperature } from "../../ui";
import type { Evidence, Hit, Source } from "../../verbs";
import { opened } from "./asked";

const CHANNELS: Record<Evidence["channel"], string> = {
  dense: "its meaning",
  neighbours: "meaning around it",
  meanings: "what its words mean",
  lexical: "its words",
  window: "words around it",
  session: "its conversation",
  speaker: "who said it",
  time: "when it happened",
  shape: "how it is put",
  facts: "learned from it",
  links: "linked to a hit",
  rerank: "read with the question",
};

const LOSSES: Record<string, string> = {
  stale: "no longer so",
  statement: "learned, not said",
  compared: "too far behind to be looked at closely",
  echo: "said before",
};

export function Reasons(props: { of: Hit }) {
  const { why, similarity, sources = [] } = props.of;
  const most = Math.max(0.01, ...why.evidence.map((one) => Math.abs(one.worth)));
  return (
    <div class="reasons">
      <ul class="worths">
        {why.evidence.map((one) => (
          <li key={one.channel}>
            <span class="channel">
              {one.channel} <span class="quiet">{CHANNELS[one.channel]}</span>
            </span>
            <span class="track" aria-hidden="true">
              <span
                class={one.worth < 0 ? "against" : "for"}
                style={{ width: `${(100 * Math.abs(one.worth)) / most}%` }}
              />
            </span>
            <span class="bar-value">
              {signed(one.worth)} · rank {one.rank}
            </span>
          </li>
        ))}
      </ul>
      <dl class="pairs">
        <dt>Similarity</dt>
        <dd>{similarity === null ? "not measured" : similarity.toFixed(3)}</dd>
        <dt>Temperature</dt>
        <dd>
          <Temperature value={why.temperature} sacred={props.of.sacred} />
        </dd>
        {why.terms.length > 0 && (
          <>
            <dt>Words in common</dt>
            <dd class="row">
              {why.terms.map((term) => (
                <Badge key={term}>{term}</Badge>
              ))}
            </dd>
          </>
        )}
        <dt>Plan</dt>
        <dd>{why.plan}</dd>
        {Object.keys(why.losses ?? {}).length > 0 && (
          <>
            <dt>Taken off</dt>
            <dd class="row">
              {Object.entries(why.losses ?? {}).map(([reason, loss]) => (
                <Badge key={reason}>
                  {LOSSES[reason] ?? reason} {signed(-loss)}
                </Badge>
              ))}
            </dd>
          </>
        )}
        {(why.stale || why.echo || why.led_by) && (
          <>
            <dt>Also</dt>
            <dd class="row">
              {why.stale && <Badge tone="bad">tells of what is no longer so</Badge>}
              {why.echo && <Badge>a better hit says the same</Badge>}
              {why.led_by && <a href={opened(why.led_by)}>linked to a better hit</a>}
            </dd>
          </>
        )}
        <dt>Sources</dt>
        <dd>{sources.length ? sources.map(said).join("; ") : "told directly"}</dd>
      </dl>
    </div>
  );
}

const signed = (worth: number): string => `${worth < 0 ? "−" : "+"}${Math.abs(worth).toFixed(2)}`;

const said = (source: Source): string => `${source.name ?? source.role}, message ${source.position + 1}`;
