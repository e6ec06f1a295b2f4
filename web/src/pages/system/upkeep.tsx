// Moving what is due: what would move is said first.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { count, several } from "../../format";
import { Stored } from "../../stored";
import { Dialog } from "../../ui";
import type { UpkeepReport } from "../../verbs";

export function Upkeep(props: { done: () => void }) {
  const [report, setReport] = useState<UpkeepReport | null>(null);
  const asking = useDoing();
  const running = useDoing();
  const ask = () =>
    asking.run(async () => {
      setReport(await call("upkeep", { dry_run: true }));
      return "";
    });
  const run = () =>
    running.run(async () => {
      setReport(await call("upkeep", {}));
      props.done();
      return "Upkeep has run.";
    });
  return (
    <>
      <div class="row">
        <button type="button" onClick={ask} aria-disabled={asking.busy}>
          Run upkeep…
        </button>
        <span class="quiet">
          Says first what would move. It takes a key of an admin, where there are keys.
        </span>
      </div>
      <Outcome of={asking} />
      {report && (
        <Dialog title="Upkeep" close={() => setReport(null)}>
          <div class="stack">
            <p>{report.dry_run ? "This would move now:" : "This was done:"}</p>
            <Report of={report} />
            <Outcome of={running} focus />
            <div class="row">
              {report.dry_run && (
                <button type="button" class="main" onClick={run} aria-disabled={running.busy}>
                  {running.busy ? "Running…" : "Run it"}
                </button>
              )}
              <button type="button" onClick={() => setReport(null)}>
                {report.dry_run ? "Leave it" : "Done"}
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Report(props: { of: UpkeepReport }) {
  const lines = told(props.of);
  return (
    <ul class="upkeep-report">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {!lines.length && <li class="quiet">Nothing. It would still tidy the database.</li>}
      {props.of.reasons?.map((reason) => (
        <li key={reason}>
          <Stored text={reason} most={400} />
        </li>
      ))}
    </ul>
  );
}

/** What a report says, line by line; what is nothing is left out. */
function told(report: UpkeepReport): string[] {
  const archived = Object.entries(report.archived ?? {}).map(([what, number]): [number, string] => [
    number,
    `${several(number, what.replace(/s$/, ""), what)} → long-term memory`,
  ]);
  const all: [number | undefined, string][] = [
    [report.flushed, `${several(report.flushed ?? 0, "critical event")} → the store`],
    ...archived,
    [report.demoted, `${several(report.demoted ?? 0, "memory", "memories")} → cold`],
    [report.learned, `${several(report.learned ?? 0, "exchange")} learned from`],
    [report.embedded, `${several(report.embedded, "vector")} made`],
    [report.indexes_built, `${several(report.indexes_built, "large index", "large indexes")} built`],
    [report.traces_dropped, `${several(report.traces_dropped, "trace")} of deleted memories dropped`],
    [report.waiting, `${count(report.waiting ?? 0)} waiting to be learned`],
    [report.failed, `${count(report.failed ?? 0)} failed too often to be tried again`],
  ];
  return all.filter(([number]) => number).map(([, line]) => line);
}
