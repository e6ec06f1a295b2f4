// Who decided what and why, what else there was, and how it turned out.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { percent } from "../../format";
import { More } from "../../more";
import { usePages } from "../../paging";
import { address } from "../../route";
import { user } from "../../state";
import { Stored, Words } from "../../stored";
import { Badge, Empty, Show, When } from "../../ui";
import type { Decision } from "../../verbs";
import { OutcomeForm } from "./outcome";
import { Whose } from "./whose";

export function DecisionsTab() {
  const loaded = usePages(
    async (limit, signal) => {
      const { decisions, next } = await call("decisions.list", { user_id: user.value, limit }, signal);
      return { some: decisions, more: next !== null };
    },
    [user.value],
    { first: 100 },
  );
  return (
    <Show of={loaded}>
      {(decisions) => (
        <div class="stack">
          {decisions.map((one) => (
            <DecisionCard key={one.id} decision={one} changed={loaded.reload} linked />
          ))}
          {!decisions.length && (
            <Empty>
              <p>No decision was logged yet.</p>
              <p>
                <code>memory.decisions.log</code> says who decided what and why; <code>emberkeep demo</code>{" "}
                fills a store to look at.
              </p>
            </Empty>
          )}
          <More of={loaded} />
        </div>
      )}
    </Show>
  );
}

export function DecisionCard(props: { decision: Decision; changed: () => void; linked?: boolean }) {
  const { decision } = props;
  const [asking, setAsking] = useState(false);
  const doing = useDoing();
  const tone =
    decision.success === null ? (decision.outcome ? "" : "warm") : decision.success ? "good" : "bad";
  return (
    <article class={`card ${tone}`}>
      <div class="card-head">
        <strong>
          <Words text={decision.what} most={300} />
        </strong>
        <HowItTurnedOut decision={decision} />
      </div>
      <dl class="pairs">
        <Fact name="Why" text={decision.why} />
        <Fact name="Situation" text={decision.context} />
        {decision.alternatives.length > 0 && (
          <>
            <dt>Instead of</dt>
            <dd class="chips">
              {decision.alternatives.map((one, place) => (
                <span key={place} class="chip">
                  <Stored text={one} most={200} />
                </span>
              ))}
            </dd>
          </>
        )}
        {decision.confidence !== null && (
          <>
            <dt>Sure</dt>
            <dd class="sure">
              <meter min={0} max={1} value={decision.confidence} aria-label="How sure they were" />{" "}
              {percent(decision.confidence)}
            </dd>
          </>
        )}
        <Fact name="Outcome" text={decision.outcome ?? ""} />
      </dl>
      <p class="meta">
        {decision.who && (
          <span>
            decided by <Stored text={decision.who} most={60} />
          </span>
        )}
        <span>
          <When at={decision.created_at} />
        </span>
        <Whose of={{ user_id: decision.user_id }} />
        {props.linked && decision.task_id && (
          <a href={address("work", `task:${decision.task_id}`)}>its task</a>
        )}
      </p>
      <Outcome of={doing} focus />
      {asking ? (
        <OutcomeForm
          former={decision.outcome ?? ""}
          well={decision.success}
          busy={doing.busy}
          close={() => {
            doing.quit();
            setAsking(false);
          }}
          set={(outcome, success) =>
            doing.run(async () => {
              await call("decisions.set_outcome", {
                id: decision.id,
                outcome,
                ...(success === null ? {} : { success }),
              });
              setAsking(false);
              props.changed();
              return "The outcome is kept.";
            })
          }
        />
      ) : (
        <div class="row">
          <button type="button" onClick={() => setAsking(true)}>
            {decision.outcome ? "Change the outcome" : "Set the outcome"}
          </button>
        </div>
      )}
    </article>
  );
}

function Fact(props: { name: string; text: string }) {
  if (!props.text) return null;
  return (
    <>
      <dt>{props.name}</dt>
      <dd>
        <Words text={props.text} most={400} />
      </dd>
    </>
  );
}

function HowItTurnedOut(props: { decision: Decision }) {
  const { outcome, success } = props.decision;
  if (success !== null)
    return (
      <Badge tone={success ? "good" : "bad"}>{success ? "✓ turned out well" : "✗ turned out badly"}</Badge>
    );
  return (
    <Badge tone={outcome ? "quiet" : "warm"}>{outcome ? "outcome known" : "outcome not known yet"}</Badge>
  );
}
