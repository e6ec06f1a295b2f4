// The contexts that were handed out last.

import { call } from "../../api";
import { ago, brief, count } from "../../format";
import { More } from "../../more";
import { usePages } from "../../paging";
import { address } from "../../route";
import { user } from "../../state";
import { Badge, Panel, Show } from "../../ui";

export function Recent(props: { open: string | null; turn: number }) {
  const contexts = usePages(
    async (limit, signal) => {
      const found = (await call("contexts", { user_id: user.value, limit }, signal)).contexts;
      return { some: found, more: found.length === limit };
    },
    [user.value, props.turn],
    { first: 15 },
  );
  return (
    <Panel title="Handed out lately" class="recent">
      <Show of={contexts}>
        {(some) =>
          some.length ? (
            <div class="stack">
              <ol>
                {some.map((one) => (
                  <li key={one.id}>
                    <a
                      href={address("context", one.id)}
                      aria-current={props.open === one.id ? "true" : undefined}
                    >
                      <span class="stored" dir="auto">
                        {brief(one.task, 90)}
                      </span>
                      <span class="quiet">
                        {ago(one.at)} · {count(one.total_tokens)} of {count(one.max_tokens)}{" "}
                        {typeof one.helpful === "boolean" && (
                          <Badge tone={one.helpful ? "good" : "bad"}>
                            {one.helpful ? "helped" : "did not help"}
                          </Badge>
                        )}
                      </span>
                    </a>
                  </li>
                ))}
              </ol>
              <More of={contexts} />
            </div>
          ) : (
            <p class="quiet">
              None yet. Assemble one here, or let an agent call <code>memory.context(…)</code>;{" "}
              <code>emberkeep demo</code> fills a store to try with.
            </p>
          )
        }
      </Show>
    </Panel>
  );
}
