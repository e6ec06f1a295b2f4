// How the memory stands as a whole, and what it is doing.

import { call } from "../api";
import { useLoad } from "../load";
import { usePolling } from "../polling";
import { user } from "../state";
import { Stored } from "../stored";
import { Page, Panel, Show } from "../ui";
import { AuditPanel } from "./system/audit";
import { BacklogPanel } from "./system/backlog";
import { EventsPanel } from "./system/events";
import { Flow } from "./system/flow";
import { Health } from "./system/health";
import { Caches, Kinds, Names } from "./system/holdings";
import { SpendingPanel } from "./system/spending";
import { Temperatures } from "./system/temperatures";
import { Upkeep } from "./system/upkeep";
import "./system.css";

export function SystemPage() {
  const loaded = useLoad(async (signal) => {
    const [overview, stats] = await Promise.all([call("overview", {}, signal), call("stats", {}, signal)]);
    return { overview, stats };
  }, []);
  usePolling(loaded);
  return (
    <Page
      title="System"
      about="What the memory holds, what moves, what it costs, and what happens right now."
    >
      {user.value !== "*" && (
        <p class="quiet">
          Only the audit, the backlog, the days of spending and the events are those of{" "}
          <Stored text={user.value} />; the rest is everyone's.
        </p>
      )}
      <Health />
      <Show of={loaded}>
        {({ overview, stats }) => (
          <div class="stack">
            <Panel title="From tier to tier">
              <Flow overview={overview} />
              <Upkeep done={loaded.reload} />
            </Panel>
            <div class="masonry">
              <Temperatures overview={overview} />
              <Kinds stats={stats} />
              <Names stats={stats} />
              <SpendingPanel overview={overview} />
              <BacklogPanel stats={stats} changed={loaded.reload} />
              <Caches stats={stats} />
              <AuditPanel many={stats.memories} />
            </div>
          </div>
        )}
      </Show>
      <EventsPanel />
    </Page>
  );
}
