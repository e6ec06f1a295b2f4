// What was not learned from yet, and trying again.

import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { several } from "../../format";
import { type Loaded, useLoad } from "../../load";
import { useFew } from "../../more";
import { address } from "../../route";
import { user } from "../../state";
import { Failure, Panel } from "../../ui";
import type { LearnReport, Waiting } from "../../verbs";
import { Pending } from "./lived";

const MOST = 1000;
const FIRST = 5;

/** What is in the backlog, of the user who is looked at. */
export function useBacklog(turn: number): Loaded<Waiting[]> {
  return useLoad(
    async (signal) => {
      const { interactions } = await call("backlog", { limit: MOST }, signal);
      return interactions.filter((one) => user.value === "*" || one.user_id === user.value);
    },
    [turn, user.value],
  );
}

export function Backlog(props: { of: Loaded<Waiting[]>; learned: () => void }) {
  const doing = useDoing();
  const some = props.of.value ?? [];
  const failed = some.filter((one) => one.state === "failed").length;

  const retry = () =>
    doing.run(async () => {
      const report = await call("learn", { retry_failed: true });
      props.learned();
      return <Did report={report} />;
    });

  // A key of one user may not see it, which is no trouble of the page's.
  if (props.of.error?.status === 403) return <p class="quiet">What waits: {props.of.error.message}</p>;
  if (props.of.error) return <Failure error={props.of.error} again={props.of.reload} />;
  return (
    <>
      <Outcome of={doing} focus />
      {some.length > 0 && (
        <Panel class="backlog" title={titled(some.length - failed, failed)}>
          <p class="quiet">
            What was said is kept. A worker (<code>emberkeep worker</code>) learns from what waits; what
            failed too often is set aside until it is tried again.
          </p>
          <Rows of={some} />
          <button type="button" class="main" aria-disabled={doing.busy} onClick={retry}>
            {doing.busy ? "Learning…" : failed ? "Retry" : "Learn now"}
          </button>
        </Panel>
      )}
    </>
  );
}

const titled = (waiting: number, failed: number): string =>
  [
    waiting && `${several(waiting, "exchange waits", "exchanges wait")} to be learned from`,
    failed && `${failed} failed`,
  ]
    .filter(Boolean)
    .join(", ");

function Rows(props: { of: Waiting[] }) {
  const [few, others] = useFew(props.of, FIRST);
  return (
    <>
      <ul class="stack">
        {few.map((one) => (
          <li key={one.interaction_id} class="backlog-row">
            <Pending of={one} />
            <a href={address("timeline", one.interaction_id)}>See it</a>
          </li>
        ))}
      </ul>
      {others}
    </>
  );
}

function Did(props: { report: LearnReport }) {
  const { learned = 0, new: made = 0, updated = 0, waiting = 0, failed = 0, reasons = [] } = props.report;
  return (
    <>
      Learned from {several(learned, "exchange")}: {several(made, "new memory", "new memories")}, {updated}{" "}
      told again or changed. {waiting ? `${waiting} still wait` : "None waits"},{" "}
      {failed ? `${failed} failed` : "none failed"}.
      {reasons.length > 0 && <span class="stored reason">{reasons.join("\n")}</span>}
    </>
  );
}
