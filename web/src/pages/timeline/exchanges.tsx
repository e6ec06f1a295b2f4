// Exchanges, latest first.

import { call } from "../../api";
import { usePages } from "../../paging";
import { More } from "../../reading";
import { user } from "../../state";
import { Empty, Show } from "../../ui";
import type { Interaction, Waiting } from "../../verbs";
import { Lived } from "./lived";

const PAGE = 10;

/** Where the next page starts. Several may have happened at once, so those that were seen at that time are named. */
interface From {
  until: string;
  seen: string[];
}

interface Props {
  session: string | null;
  owner: string | null;
  waiting: Waiting[];
  turn: number;
}

export function Exchanges(props: Props) {
  const { session, owner, turn } = props;
  const found = usePages<Interaction, From>(
    async (from, signal) => {
      const takes = {
        // A session is one user's; a blank stands for nobody's.
        user_id: session === null ? user.value : (owner ?? ""),
        session_id: session,
        until: from?.until ?? null,
        limit: PAGE + (from?.seen.length ?? 0),
      };
      const { interactions } = await call("capture.recent", takes, signal);
      return {
        some: interactions.filter((one) => !from?.seen.includes(one.id)),
        next: after(interactions, takes.limit),
      };
    },
    [user.value, session, owner, turn],
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

function after(page: Interaction[], limit: number): From | null {
  const last = page.at(-1);
  if (!last || page.length < limit) return null;
  const until = last.occurred_at;
  return { until, seen: page.filter((one) => one.occurred_at === until).map((one) => one.id) };
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
