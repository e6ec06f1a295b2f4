// Where a memory is changed that stands for a record, since it follows the record.

import { address } from "../../route";

/** The pages that show a record, by its noun. */
const PLACES: Record<string, (id: string) => [string, string]> = {
  task: (id) => ["Work", address("work", `task:${id}`)],
  goal: () => ["Work", address("work")],
  decision: () => ["Work", address("work", null, { tab: "decisions" })],
  incident: () => ["Work", address("work", null, { tab: "incidents" })],
  procedure: () => ["Work", address("work", null, { tab: "procedures" })],
  execution: () => ["Work", address("work", null, { tab: "executions" })],
  pattern: (id) => ["Patterns", address("patterns", id)],
};

/** The namespaces of those that no page shows. */
const NAMESPACES: Record<string, string> = {
  config: "memory.configs",
  document: "memory.knowledge",
  preference: "memory.preferences",
  like: "memory.patterns",
};

export function Elsewhere(props: { record: string }) {
  const colon = props.record.indexOf(":");
  const [noun, id] = [props.record.slice(0, colon), props.record.slice(colon + 1)];
  const place = PLACES[noun]?.(id);
  const namespace = NAMESPACES[noun];
  return (
    <p class="notice">
      <span class="stored">
        This memory stands for {noun} <code>{id}</code>: it changes with that, and goes with that.{" "}
        {place && (
          <>
            See <a href={place[1]}>{place[0]}</a>.
          </>
        )}
        {namespace && (
          <>
            Use <code>{namespace}</code>.
          </>
        )}
      </span>
    </p>
  );
}
