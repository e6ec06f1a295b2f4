// The steps of a task, in order.

import { count, duration } from "../../format";
import { isEmpty, Json, Stored, Words } from "../../stored";
import { When } from "../../ui";
import type { Step } from "../../verbs";
import { EndBadge } from "./status";

export function Steps(props: { steps: Step[] }) {
  const longest = Math.max(1, ...props.steps.map((step) => step.duration_ms ?? 0));
  return (
    <ol class="steps">
      {props.steps.map((step) => (
        <li key={step.number} class={step.success ? "step" : "step failed"}>
          <div class="card-head">
            <strong>
              <span class="quiet">{step.number}.</span> <Stored text={step.tool || "no tool"} most={100} />
            </strong>
            <EndBadge success={step.success} />
          </div>
          <p class="meta">
            <span>
              <When at={step.created_at} />
            </span>
            {step.iteration !== step.number && <span>round {step.iteration}</span>}
            {step.duration_ms !== null && (
              <span class="took">
                <span class="took-bar" style={{ width: `${(4 * step.duration_ms) / longest}rem` }} />
                {duration(step.duration_ms)}
              </span>
            )}
          </p>
          {!isEmpty(step.parameters) && (
            <details>
              <summary>Parameters</summary>
              <Json value={step.parameters} />
            </details>
          )}
          {step.output && <Words code text={step.output} most={400} />}
          {step.output_chars > step.output.length && (
            <p class="meta">The beginning was kept, of {count(step.output_chars)} characters.</p>
          )}
        </li>
      ))}
    </ol>
  );
}
