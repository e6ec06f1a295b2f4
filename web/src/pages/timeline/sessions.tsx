// The conversations, to pick one.

import { call } from "../../api";
import { count, day, several } from "../../format";
import { More } from "../../more";
import { usePages } from "../../paging";
import { address } from "../../route";
import { user } from "../../state";
import { Show } from "../../ui";

export function SessionList(props: { session: string | null; owner: string | null }) {
  const sessions = usePages(
    async (limit, signal) => {
      const found = (await call("capture.sessions", { user_id: user.value, limit }, signal)).sessions;
      return { some: found, more: found.length === limit };
    },
    [user.value],
    { first: 15 },
  );
  return (
    <nav class="panel sessions" aria-label="Sessions">
      <Show of={sessions}>
        {(some) => (
          <div class="stack">
            <ul>
              <li>
                <a href={address("timeline")} aria-current={props.session === null ? "true" : undefined}>
                  All sessions
                </a>
              </li>
              {some.map((one) => (
                <li key={`${one.user_id} ${one.session_id}`}>
                  <a
                    href={address("timeline", null, { session: one.session_id, of: one.user_id })}
                    aria-current={
                      props.session === one.session_id && props.owner === one.user_id ? "true" : undefined
                    }
                    title={several(one.interactions, "exchange")}
                  >
                    <bdi>{one.session_id}</bdi>
                    <span class="quiet">
                      {user.value === "*" && one.user_id && <bdi>{one.user_id}</bdi>}
                      <span>
                        {day(one.last_at)} · {count(one.interactions)}
                      </span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {some.length === 0 && (
              <p class="quiet">
                None yet: pass <code>session_id</code> to <code>add</code>.
              </p>
            )}
            <More of={sessions} />
          </div>
        )}
      </Show>
    </nav>
  );
}
