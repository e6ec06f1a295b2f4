// What a context is asked for.

import { useState } from "preact/hooks";
import { Field } from "../../ui";
import { FORMATS, type Format, PLANS, TIERS, type Tier, tierNames } from "./words";

export interface Wanted {
  task: string;
  max_tokens: number;
  tiers: Tier[];
  format: Format;
  plan: string;
}

const SLIDER = { min: 100, max: 8000, step: 100 };

// Kept while other pages are looked at, so that nothing typed is lost on the way.
let last: Wanted = { task: "", max_tokens: 1500, tiers: tierNames, format: "markdown", plan: "balanced" };

export function useWanted(): [Wanted, (changes: Partial<Wanted>) => void] {
  const [wanted, setWanted] = useState(last);
  const change = (changes: Partial<Wanted>) => {
    last = { ...last, ...changes };
    setWanted(last);
  };
  return [wanted, change];
}

export function AskForm(props: {
  wanted: Wanted;
  change: (changes: Partial<Wanted>) => void;
  busy: boolean;
  submit: () => void;
}) {
  const { wanted, change } = props;
  return (
    <form
      class="panel"
      aria-label="Assemble a context"
      onSubmit={(event) => {
        event.preventDefault();
        props.submit();
      }}
    >
      <Field label="Task">
        <textarea
          rows={2}
          required
          placeholder="Plan the weekend"
          value={wanted.task}
          onInput={(event) => change({ task: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit();
          }}
        />
      </Field>
      <Budget value={wanted.max_tokens} change={(max_tokens) => change({ max_tokens })} />
      <div class="ask-row">
        <Tiers chosen={wanted.tiers} change={(tiers) => change({ tiers })} />
        <Field label="Format">
          <select
            value={wanted.format}
            onChange={(event) => change({ format: event.currentTarget.value as Format })}
          >
            {FORMATS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Plan">
          <select value={wanted.plan} onChange={(event) => change({ plan: event.currentTarget.value })}>
            {Object.entries(PLANS).map(([name, about]) => (
              <option key={name} value={name} title={about}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <button type="submit" aria-disabled={props.busy}>
          {props.busy ? "Assembling…" : "Assemble"}
        </button>
      </div>
    </form>
  );
}

/** The same number by hand and by slider; the slider ends where prompts usually do, the number does not. */
function Budget(props: { value: number; change: (tokens: number) => void }) {
  return (
    <div class="budget">
      <Field label="Budget, roughly">
        <input
          type="range"
          {...SLIDER}
          value={Math.min(props.value, SLIDER.max)}
          onInput={(event) => props.change(event.currentTarget.valueAsNumber)}
        />
      </Field>
      <Field label="Budget in tokens">
        <input
          type="number"
          min={1}
          max={1_000_000}
          required
          value={Number.isNaN(props.value) ? "" : props.value}
          onInput={(event) => props.change(event.currentTarget.valueAsNumber)}
        />
      </Field>
    </div>
  );
}

function Tiers(props: { chosen: Tier[]; change: (tiers: Tier[]) => void }) {
  return (
    <fieldset class="choices">
      <legend>Tiers</legend>
      {tierNames.map((tier) => (
        <label key={tier} class="choice" title={TIERS[tier]}>
          <input
            type="checkbox"
            checked={props.chosen.includes(tier)}
            onChange={(event) =>
              props.change(
                tierNames.filter((one) =>
                  one === tier ? event.currentTarget.checked : props.chosen.includes(one),
                ),
              )
            }
          />
          {tier}
        </label>
      ))}
    </fieldset>
  );
}
