// What language models were asked for, against what they may cost.

import { call } from "../../api";
import { count, percent } from "../../format";
import { useLoad } from "../../load";
import { user } from "../../state";
import { Bars, Panel, Show } from "../../ui";
import type { Overview, Spending } from "../../verbs";

const DAYS = 14;

export function SpendingPanel(props: { overview: Overview }) {
  const { spent_today, caps } = props.overview;
  const loaded = useLoad((signal) => call("spending", { limit: 1000 }, signal), [spent_today]);
  return (
    <Panel title="Spending">
      <p>
        <strong>{count(spent_today)}</strong> tokens today
      </p>
      <Cap name="warns at" cap={caps?.soft ?? 0} spent={spent_today} />
      <Cap name="pauses at" cap={caps?.hard ?? 0} spent={spent_today} />
      {caps?.per_user ? <p class="quiet">A user may take {count(caps.per_user)} a day.</p> : null}
      {!caps?.soft && !caps?.hard && (
        <p class="quiet">No cap is set (spend_soft_tokens, spend_hard_tokens).</p>
      )}
      <Show of={loaded}>
        {({ days }) => {
          const rows = byDay(days.filter((one) => user.value === "*" || one.user_id === user.value));
          if (!rows.length) return <p class="quiet">No language model was asked: the rules cost nothing.</p>;
          return <Bars label="Tokens by day" rows={rows} />;
        }}
      </Show>
    </Panel>
  );
}

function Cap(props: { name: string; cap: number; spent: number }) {
  if (!props.cap) return null;
  const share = props.spent / props.cap;
  return (
    <p class="row">
      <meter
        min={0}
        max={1}
        high={0.8}
        optimum={0}
        value={Math.min(1, share)}
        aria-label={`Share of what it ${props.name}`}
      />
      <span>
        {percent(share)} of {count(props.cap)}, where it {props.name.replace(" at", "")}
      </span>
    </p>
  );
}

/** Tokens of the last days on which something was spent, the latest first. */
function byDay(all: Spending[]): { name: string; value: number; said: string }[] {
  const days = new Map<string, { tokens: number; calls: number }>();
  for (const { day, spent } of all) {
    const former = days.get(day) ?? { tokens: 0, calls: 0 };
    days.set(day, {
      tokens: former.tokens + (spent.tokens_in ?? 0) + (spent.tokens_out ?? 0),
      calls: former.calls + (spent.calls ?? 0),
    });
  }
  return [...days].slice(0, DAYS).map(([name, { tokens, calls }]) => ({
    name,
    value: tokens,
    said: `${count(tokens)} in ${calls === 1 ? "1 call" : `${count(calls)} calls`}`,
  }));
}
