// Exchanges, latest first.

import { call } from "../../api";
import { More } from "../../more";
import { usePages } from "../../paging";
import { user } from "../../state";
import { Empty, Show } from "../../ui";
import type { Waiting } from "../../verbs";
import { Lived } from "./lived";

interface Props {
  session: string | null;
  owner: string | null;
  waiting: Waiting[];
  turn: number;
}

export function Exchanges(props: Props) {
  const { session, owner, turn } = props;
  const found = usePages(
    async (limit, signal) => {
      // A session is one user's; a blank stands for nobody's.
      const user_id = session === null ? user.value : (owner ?? "");
      const { interactions } = await call("capture.recent", { user_id, session_id: session, limit }, signal);
      return { some: interactions, more: interactions.length === limit };
    },
    [user.value, session, owner, turn],
    { first: 10 },
  );
  return (
    <Show of={found}>
      {(some) =>
        some.length ? (
          <div class="stack">
            <ol class="lived-list">
              {some.map((one) => (
                <Lived
                  key={one.id}
                  of={one}
                  waiting={props.waiting.find((other) => other.interaction_id === one.id)}
                  turn={turn}
                />
              ))}
            </ol>
            <More of={found} />
          </div>
        ) : (
          <Nothing session={session} />
        )
      }
    </Show>
  );
}

function Nothing(props: { session: string | null }) {
  return (
    <Empty>
      <p>
        {props.session !== null
          ? "There is no such session."
          : user.value === "*"
            ? "Nothing was captured yet."
            : `Nothing of ${user.value} was captured.`}
      </p>
      <p class="quiet">
        <code>emberkeep demo</code> fills a store to look around in; <code>memory.add(…)</code> and{" "}
        <code>memory.capture.log(…)</code> write an agent's exchanges down.
      </p>
    </Empty>
  );
}
