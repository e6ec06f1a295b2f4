// What has not been learned from yet, and why.

import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { count, several } from "../../format";
import { useLoad } from "../../load";
import { address } from "../../route";
import { user } from "../../state";
import { Stored } from "../../stored";
import { Badge, Panel, Show, When } from "../../ui";
import type { Stats, Waiting } from "../../verbs";

export function BacklogPanel(props: { stats: Stats; changed: () => void }) {
  const { waiting, failed } = props.stats;
  const loaded = useLoad((signal) => call("backlog", { limit: 50 }, signal), [waiting, failed]);
  const doing = useDoing();
  const learn = () =>
    doing.run(async () => {
      const report = await call("learn", { retry_failed: true });
      props.changed();
      return `${several(report.learned ?? 0, "exchange")} learned from, ${count(report.waiting ?? 0)} still waiting.`;
    });
  return (
    <Panel title="Backlog">
      <p class="row">
        <Badge tone={waiting ? "warm" : "quiet"}>{count(waiting)} waiting</Badge>
        <Badge tone={failed ? "bad" : "quiet"}>{count(failed)} failed</Badge>
      </p>
      <Show of={loaded}>
        {({ interactions }) => (
          <List of={interactions.filter((one) => user.value === "*" || one.user_id === user.value)} />
        )}
      </Show>
      {waiting + failed > 0 && (
        <div class="row">
          <button type="button" onClick={learn} aria-disabled={doing.busy}>
            {doing.busy ? "Learning…" : "Learn now"}
          </button>
        </div>
      )}
      <Outcome of={doing} focus />
    </Panel>
  );
}

function List(props: { of: Waiting[] }) {
  if (!props.of.length) return <p class="quiet">All that was said has been learned from.</p>;
  return (
    <ul class="rows">
      {props.of.map((one) => (
        <li key={one.interaction_id}>
          <span class="row">
            <Badge tone={one.state === "failed" ? "bad" : "warm"}>{one.state}</Badge>
            <a href={address("timeline", one.interaction_id)}>the exchange</a>
            {one.attempts > 0 && <span class="quiet">{several(one.attempts, "attempt")}</span>}
            {one.due_at && (
              <span class="quiet">
                again <When at={one.due_at} />
              </span>
            )}
          </span>
          {one.reason && <Stored text={one.reason} most={300} />}
        </li>
      ))}
    </ul>
  );
}
