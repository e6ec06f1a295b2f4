// Where a memory comes from: the exchanges, word for word, with what it was drawn from marked.

import { call } from "../../api";
import { Exchange } from "../../exchange";
import { useLoad } from "../../load";
import { useFew } from "../../more";
import { address } from "../../route";
import { Panel, Show, When } from "../../ui";
import type { Memory, Source } from "../../verbs";

const FIRST = 3;

export function Sources(props: { of: Memory }) {
  const groups = byExchange(props.of.sources ?? []);
  const [few, others] = useFew(groups, FIRST);
  if (!groups.length)
    return (
      <Panel title="Where it comes from">
        <p class="quiet">
          {props.of.record
            ? "It was made of a record, not of something that was said."
            : "It was told directly (remember, seed or import), not drawn from an exchange."}
        </p>
      </Panel>
    );
  return (
    <Panel title="Where it comes from">
      {few.map(([id, sources]) => (
        <From key={id} id={id} sources={sources} />
      ))}
      {others}
    </Panel>
  );
}

/** The sources of each exchange, the latest first. */
function byExchange(sources: Source[]): [string, Source[]][] {
  const found = new Map<string, Source[]>();
  for (const one of sources) found.set(one.interaction_id, [...(found.get(one.interaction_id) ?? []), one]);
  return [...found].reverse();
}

function From(props: { id: string; sources: Source[] }) {
  const exchange = useLoad((signal) => call("capture.get", { id: props.id }, signal), [props.id]);
  return (
    <Show of={exchange}>
      {(one) => (
        <article class="stack">
          <p class="row quiet">
            <a href={address("timeline", one.id)}>
              <When at={one.occurred_at} />
            </a>
            {one.session_id && (
              <span class="stored">
                in <bdi>{one.session_id}</bdi>
              </span>
            )}
          </p>
          <Exchange of={one} quoted={props.sources} />
        </article>
      )}
    </Show>
  );
}
