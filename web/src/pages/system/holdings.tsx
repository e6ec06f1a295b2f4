// What a store holds, and what it is made of.

import { count, percent } from "../../format";
import { Stored } from "../../stored";
import { Bars, Panel } from "../../ui";
import type { Stats } from "../../verbs";

export function Kinds(props: { stats: Stats }) {
  const kinds = Object.entries(props.stats.memories_by_kind).sort(([, one], [, other]) => other - one);
  return (
    <Panel title={`Memories by kind (${count(props.stats.memories)})`}>
      {kinds.length ? (
        <Bars
          label="Memories by kind"
          rows={kinds.map(([name, value]) => ({ name, value, said: count(value) }))}
        />
      ) : (
        <p class="quiet">
          Nothing is remembered yet: <code>memory.add</code> begins, <code>emberkeep demo</code> shows how it
          looks.
        </p>
      )}
    </Panel>
  );
}

export function Names(props: { stats: Stats }) {
  const { stats } = props;
  const rows: Record<string, string> = {
    Database: stats.database,
    Tenant: stats.tenant,
    Embedder: stats.embedder
      ? `${stats.embedder}${stats.dimension ? `, ${stats.dimension} dimensions` : ""}`
      : "none yet",
    Learner: stats.learner ?? "none",
    Users: count(stats.users),
    Interactions: count(stats.interactions),
    "API keys": stats.keys ? count(stats.keys) : "none: whoever is on this machine may do everything",
    "Events to deliver": `${count(stats.events_waiting)} waiting, ${count(stats.events_failed)} failed`,
  };
  return (
    <Panel title="Made of">
      <dl class="pairs">
        {Object.entries(rows).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <Stored text={value} most={300} />
            </dd>
          </>
        ))}
      </dl>
    </Panel>
  );
}

export function Caches(props: { stats: Stats }) {
  const caches = Object.entries(props.stats.embedding_caches);
  return (
    <Panel title="Embedding caches">
      {caches.length ? (
        <dl class="bars" aria-label="Hit rates">
          {caches.map(([name, { hits, misses, rate }]) => (
            <div key={name} class="bar-row">
              <dt>{name}</dt>
              <dd>
                <meter min={0} max={1} value={rate ?? 0} aria-label={`Hit rate of ${name}`} />
                <span class="bar-value">
                  {rate === null ? "not asked yet" : `${percent(rate)} of ${count(hits + misses)}`}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class="quiet">There is no cache to tell of.</p>
      )}
    </Panel>
  );
}
