// A context that was handed out before: what was written down of it, and assembling it again.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { useDoing } from "../../doing";
import { count } from "../../format";
import { useLoad } from "../../load";
import { Words } from "../../stored";
import { Failure, LeftOut, Panel, Show, When } from "../../ui";
import type { Considered, Context, ContextRecord } from "../../verbs";
import { Assembled } from "./assembled";
import { Entries } from "./dropped";
import { Feedback } from "./feedback";
import type { Wanted } from "./form";
import { Spread } from "./spread";
import type { Format, Tier } from "./words";

interface Props {
  id: string;
  rated: () => void;
  reuse: (wanted: Partial<Wanted>) => void;
}

export function OneRecord(props: Props) {
  const record = useLoad((signal) => call("context_record", { id: props.id }, signal), [props.id]);
  return <Show of={record}>{(one) => <Known of={one} rated={props.rated} reuse={props.reuse} />}</Show>;
}

function Known(props: { of: ContextRecord; rated: () => void; reuse: (wanted: Partial<Wanted>) => void }) {
  const { of } = props;
  const [replayed, setReplayed] = useState<Context>();
  const doing = useDoing();
  const replay = () =>
    doing.run(async () => {
      setReplayed(await call("replay_context", { id: of.id }));
      return null;
    });

  return (
    <div class="stack">
      <Panel title="Handed out before">
        <Words text={of.task} />
        <About of={of} />
        <div class="row">
          <button type="button" aria-disabled={doing.busy} onClick={replay}>
            {doing.busy ? "Replaying…" : "Replay"}
          </button>
          <button type="button" onClick={() => props.reuse(wantedOf(of))}>
            Ask for it again
          </button>
        </div>
        {doing.error && <Failure error={doing.error} />}
      </Panel>
      {replayed ? (
        <Assembled of={replayed} replayed />
      ) : (
        <>
          <LeftOut degraded={of.degraded ?? []} />
          <Panel title={`${count(of.total_tokens)} of ${count(of.max_tokens)} tokens`}>
            <Spread entries={of.entries} total={of.total_tokens} budget={of.max_tokens} />
          </Panel>
          <Fates title="Chosen" of={of.entries.filter((one) => one.fate !== "dropped")} />
          <Fates title="Left out" of={of.entries.filter((one) => one.fate === "dropped")} />
        </>
      )}
      <Feedback id={of.id} before={of} rated={props.rated} />
    </div>
  );
}

function About(props: { of: ContextRecord }) {
  const { of } = props;
  const { tiers, format, plan } = wantedOf(of);
  return (
    <dl class="pairs">
      <dt>When</dt>
      <dd>
        <When at={of.at} />
      </dd>
      <dt>For</dt>
      <dd>{of.user_id === "*" ? "everyone" : (of.user_id ?? "no user")}</dd>
      <dt>Tiers</dt>
      <dd>{tiers.join(", ")}</dd>
      <dt>Format, plan</dt>
      <dd>
        {format}, {plan}
      </dd>
    </dl>
  );
}

function Fates(props: { title: string; of: Considered[] }) {
  return (
    <Panel title={`${props.title}: ${count(props.of.length)}`}>
      {props.of.length ? <Entries of={props.of} /> : <p class="quiet">Nothing.</p>}
    </Panel>
  );
}

/** What was wanted then, of the settings that were written down. */
function wantedOf(of: ContextRecord): Wanted {
  const { tiers, format, plan } = of.settings as { tiers: Tier[]; format: Format; plan: { name: string } };
  return { task: of.task, max_tokens: of.max_tokens, tiers, format, plan: plan.name };
}
