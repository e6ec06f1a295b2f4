// What is known of a memory beside its text.

import type { ComponentChildren } from "preact";
import { ago, several } from "../../format";
import { address } from "../../route";
import { isEmpty, Json } from "../../stored";
import { Panel, When } from "../../ui";
import type { Memory } from "../../verbs";
import { KINDS, opened } from "./asked";

export function Facts(props: { of: Memory }) {
  const { of } = props;
  return (
    <Panel title="About it">
      <dl class="pairs">
        <Pair name="Kind">
          {of.kind} <span class="quiet">{KINDS[of.kind]}</span>
        </Pair>
        <Pair name="Holds from">
          <When at={of.valid_from} />
        </Pair>
        {of.valid_to && (
          <Pair name="Held until">
            <When at={of.valid_to} />
          </Pair>
        )}
        {of.superseded_by && (
          <Pair name="Replaced by">
            <a href={opened(of.superseded_by)}>what is so now</a>
          </Pair>
        )}
        <Pair name="Happened">
          <When at={of.occurred_at} />
        </Pair>
        <Pair name="Recorded">
          <When at={of.recorded_at} />
        </Pair>
        <Pair name="Temperature">
          {Math.round(of.temperature)} of 100,{" "}
          {of.sacred ? "pinned, so it never cools" : `last warmed ${ago(of.heated_at)}`}
        </Pair>
        <Pair name="Used">
          {of.access_count
            ? `${several(of.access_count, "time")}${of.last_access ? `, last ${ago(of.last_access)}` : ""}`
            : "never"}
        </Pair>
        {of.user_id && <Pair name="User">{of.user_id}</Pair>}
        {of.agent_id && <Pair name="Agent">{of.agent_id}</Pair>}
        {of.session_id && (
          <Pair name="Session">
            <a href={address("timeline", null, { session: of.session_id, of: of.user_id })}>
              {of.session_id}
            </a>
          </Pair>
        )}
        {of.gloss && <Pair name="Also found by">{of.gloss}</Pair>}
        <Pair name="Id">
          <code>{of.id}</code>
        </Pair>
      </dl>
      {!isEmpty(of.metadata) && (
        <div>
          <h3>Metadata</h3>
          <Json value={of.metadata} />
        </div>
      )}
    </Panel>
  );
}

function Pair(props: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd class="stored">{props.children}</dd>
    </>
  );
}
