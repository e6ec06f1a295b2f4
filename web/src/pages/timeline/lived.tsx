// An exchange, and beside it what was learned from it.

import { call } from "../../api";
import { Exchange } from "../../exchange";
import { brief, several } from "../../format";
import { useLoad } from "../../load";
import { useFew } from "../../more";
import { address } from "../../route";
import { Badge, heat, MemoryLink, Show, Temperature, When } from "../../ui";
import type { Interaction, Memory, Waiting } from "../../verbs";

export function Lived(props: { of: Interaction; waiting: Waiting | undefined; turn: number }) {
  const { of, waiting } = props;
  const [tags, others] = useFew(of.tags, 8);
  return (
    <li class="panel lived">
      <p class="row traits">
        <a href={address("timeline", of.id)}>
          <When at={of.occurred_at} />
        </a>
        {of.session_id && (
          <a class="badge tag" href={address("timeline", null, { session: of.session_id, of: of.user_id })}>
            {of.session_id}
          </a>
        )}
        {of.user_id && <Badge>{of.user_id}</Badge>}
        {of.agent_id && <Badge>{of.agent_id}</Badge>}
        {tags.map((tag) => (
          <Badge key={tag}>#{tag}</Badge>
        ))}
        {others}
      </p>
      <div class="lived-sides">
        <Exchange of={of} />
        <Learned id={of.id} waiting={waiting} turn={props.turn} />
      </div>
    </li>
  );
}

function Learned(props: { id: string; waiting: Waiting | undefined; turn: number }) {
  const learned = useLoad(
    (signal) => call("learned_from", { interaction_id: props.id }, signal),
    [props.id, props.turn],
  );
  return (
    <section class="learned" aria-label="What was learned">
      <h3>Learned</h3>
      {props.waiting && <Pending of={props.waiting} />}
      <Show of={learned}>{({ memories }) => <Came of={memories} waits={props.waiting !== undefined} />}</Show>
    </section>
  );
}

/** That it was not learned from yet, and why. */
export function Pending(props: { of: Waiting }) {
  const { state, attempts, due_at, reason } = props.of;
  return (
    <p class="pending">
      <Badge tone={state === "failed" ? "bad" : "warm"}>{state}</Badge>{" "}
      {attempts > 0 && <span class="quiet">tried {several(attempts, "time")}</span>}{" "}
      {state === "waiting" && due_at && (
        <span class="quiet">
          again from <When at={due_at} />
        </span>
      )}
      {reason && <span class="stored reason">{reason}</span>}
    </p>
  );
}

function Came(props: { of: Memory[]; waits: boolean }) {
  const learned = props.of.filter((one) => one.kind !== "episode");
  const episodes = props.of.length - learned.length;
  return (
    <div class="stack">
      {learned.length > 0 ? (
        <ul class="came">
          {learned.map((one) => (
            <li key={one.id} style={heat(one.temperature)}>
              <MemoryLink id={one.id}>
                <span class="stored" dir="auto">
                  {brief(one.text, 200)}
                </span>
              </MemoryLink>
              <p class="row traits">
                <Temperature value={one.temperature} sacred={one.sacred} />
                <Badge>{one.kind}</Badge>
                {one.valid_to && <Badge tone="bad">no longer so</Badge>}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        !props.waits && <p class="quiet">Nothing was learned beyond what was said.</p>
      )}
      {episodes > 0 && (
        <p class="quiet">{several(episodes, "message is", "messages are")} found word for word.</p>
      )}
    </div>
  );
}
