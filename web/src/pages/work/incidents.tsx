// What went wrong, what is still open first.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { More } from "../../more";
import { usePages } from "../../paging";
import { user } from "../../state";
import { Words } from "../../stored";
import { Badge, Empty, Field, Show, When } from "../../ui";
import type { Incident } from "../../verbs";
import { Whose } from "./whose";

export function IncidentsTab(props: { status: string }) {
  const loaded = usePages(
    async (limit, signal) => {
      const of = { user_id: user.value, limit };
      const wanted = props.status ? [props.status === "open"] : [true, false];
      const pages = await Promise.all(wanted.map((open) => call("incidents.list", { ...of, open }, signal)));
      return { some: pages.flatMap((one) => one.incidents), more: pages.some((one) => one.next) };
    },
    [user.value, props.status],
    { first: 100 },
  );
  return (
    <Show of={loaded}>
      {(incidents) => (
        <div class="stack">
          {incidents.map((one) => (
            <IncidentCard key={one.id} incident={one} changed={loaded.reload} />
          ))}
          {!incidents.length && (
            <Empty>
              <p>There is no {props.status} incident.</p>
              <p>
                <code>memory.incidents.report</code> keeps what went wrong, <code>resolve</code> what helped.
              </p>
            </Empty>
          )}
          <More of={loaded} />
        </div>
      )}
    </Show>
  );
}

function IncidentCard(props: { incident: Incident; changed: () => void }) {
  const { incident } = props;
  const open = !incident.resolved_at;
  const grave = incident.severity === "high" || incident.severity === "critical";
  const doing = useDoing();
  return (
    <article class={`card ${open ? "bad" : "good"}`}>
      <div class="card-head">
        <strong>
          <Words text={incident.title} most={300} />
        </strong>
        <Badge tone={open ? "bad" : "good"}>{open ? "● open" : "✓ resolved"}</Badge>
        <Badge tone={grave ? "bad" : "quiet"}>{incident.severity}</Badge>
      </div>
      {incident.description && <Words text={incident.description} />}
      <dl class="pairs">
        {incident.cause && (
          <>
            <dt>Cause</dt>
            <dd>
              <Words text={incident.cause} />
            </dd>
          </>
        )}
        {incident.resolution && (
          <>
            <dt>What helped</dt>
            <dd>
              <Words text={incident.resolution} />
            </dd>
          </>
        )}
      </dl>
      <p class="meta">
        <span>
          happened <When at={incident.occurred_at} />
        </span>
        {incident.resolved_at && (
          <span>
            resolved <When at={incident.resolved_at} />
          </span>
        )}
        <Whose of={incident} />
      </p>
      <Outcome of={doing} focus />
      {open && (
        <ResolveForm
          busy={doing.busy}
          resolve={(resolution) =>
            doing.run(async () => {
              await call("incidents.resolve", { id: incident.id, resolution });
              props.changed();
              return "The incident is resolved.";
            })
          }
        />
      )}
    </article>
  );
}

function ResolveForm(props: { busy: boolean; resolve: (resolution: string) => void }) {
  const [said, setSaid] = useState("");
  return (
    <details>
      <summary>Resolve it</summary>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          props.resolve(said);
        }}
      >
        <Field label="What helped">
          <textarea rows={2} required value={said} onInput={(event) => setSaid(event.currentTarget.value)} />
        </Field>
        <div class="row">
          <button type="submit" aria-disabled={props.busy}>
            It is resolved
          </button>
        </div>
      </form>
    </details>
  );
}
