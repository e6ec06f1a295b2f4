// How good is what was learned.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { count, percent } from "../../format";
import { useLoad } from "../../load";
import { user } from "../../state";
import { Stored } from "../../stored";
import { Panel, Show } from "../../ui";
import type { Fault } from "../../verbs";

const MANY = 20_000; // memories, from which on an audit is made only when somebody asks for it
const MEANS: Record<string, string> = {
  junk: "says too little, or nothing",
  duplicate: "said by another one",
  stale: "no longer so",
  unsupported: "its quote is not in the log",
};

export function AuditPanel(props: { many: number }) {
  const [wanted, setWanted] = useState(props.many <= MANY);
  return (
    <Panel title="Audit of what was learned">
      {wanted ? (
        <Made />
      ) : (
        <div class="row">
          <button type="button" onClick={() => setWanted(true)}>
            Look through all
          </button>
          <span class="quiet">There are many memories: it takes a while.</span>
        </div>
      )}
    </Panel>
  );
}

function Made() {
  const loaded = useLoad((signal) => call("audit", { user_id: user.value }, signal), [user.value]);
  return (
    <Show of={loaded}>
      {(audit) => (
        <div class="stack">
          <p class="quiet">
            {audit.examined
              ? `${count(audit.examined)} statements were looked through.`
              : "Nothing was learned yet."}
          </p>
          <ul class="rows">
            {Object.entries(audit.faults).map(([name, fault]) => (
              <FaultRow key={name} name={name} about={MEANS[name] ?? ""} fault={fault} />
            ))}
            <FaultRow name="quarantined" about="messages that command a model" fault={audit.quarantined} />
          </ul>
          <div class="row">
            <button type="button" onClick={loaded.reload} aria-disabled={loaded.loading}>
              Look again
            </button>
          </div>
        </div>
      )}
    </Show>
  );
}

function FaultRow(props: { name: string; about: string; fault: Fault }) {
  const { count: number, rate, examples = [] } = props.fault;
  return (
    <li>
      <span class="row">
        <strong>{props.name}</strong>
        <span>
          {percent(rate)} ({count(number)})
        </span>
        <span class="quiet">{props.about}</span>
      </span>
      {examples.length > 0 && (
        <details>
          <summary>Such as</summary>
          <ul>
            {examples.map((text, place) => (
              <li key={place}>
                “<Stored text={text} most={200} />”
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
