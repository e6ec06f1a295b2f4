// What is being done, and what became of it.

import { go, route } from "../route";
import { Tabs } from "../tabs";
import { Field, Page } from "../ui";
import { DecisionsTab } from "./work/decisions";
import { ExecutionsTab } from "./work/executions";
import { GoalsTab } from "./work/goals";
import { IncidentsTab } from "./work/incidents";
import { ProceduresTab } from "./work/procedures";
import { TaskView } from "./work/task";
import "./work.css";

const TABS = {
  goals: "Goals and tasks",
  decisions: "Decisions",
  incidents: "Incidents",
  procedures: "Procedures",
  executions: "Executions",
};
type Tab = keyof typeof TABS;

/** What a tab can be narrowed to, by the name in the address. */
const STATUSES: Partial<Record<Tab, Record<string, string>>> = {
  goals: {
    open: "Open",
    pending: "Pending",
    running: "Running",
    blocked: "Blocked",
    succeeded: "Succeeded",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  incidents: { open: "Open", resolved: "Resolved" },
  executions: { succeeded: "Succeeded", failed: "Failed" },
};

export function WorkPage() {
  const { id, query } = route.value;
  if (id?.startsWith("task:")) return <TaskView key={id} id={id.slice("task:".length)} />;
  const asked = query.get("tab") ?? "";
  const tab: Tab = Object.hasOwn(TABS, asked) ? (asked as Tab) : "goals";
  const statuses = STATUSES[tab];
  const wanted = query.get("status") ?? "";
  const status = statuses && Object.hasOwn(statuses, wanted) ? wanted : "";
  return (
    <Page
      title="Work"
      about="Goals with their tasks, what was decided on the way, and how it ended."
      tools={
        statuses && (
          <Field label="Status">
            <select
              value={status}
              onChange={(event) => go("work", null, { tab: asked, status: event.currentTarget.value })}
            >
              <option value="">All</option>
              {Object.entries(statuses).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )
      }
    >
      <Tabs page="work" label="Parts of work" of={TABS} shown={tab} />
      {tab === "goals" && <GoalsTab status={status} />}
      {tab === "decisions" && <DecisionsTab />}
      {tab === "incidents" && <IncidentsTab status={status} />}
      {tab === "procedures" && <ProceduresTab />}
      {tab === "executions" && <ExecutionsTab status={status} />}
    </Page>
  );
}
