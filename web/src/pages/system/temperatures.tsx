// How many memories are how warm.

import { count, several } from "../../format";
import { heat, Panel } from "../../ui";
import type { Overview } from "../../verbs";

export function Temperatures(props: { overview: Overview }) {
  const { temperatures, sacred } = props.overview;
  const most = Math.max(1, ...temperatures);
  return (
    <Panel title="Temperature">
      <ol class="histogram" aria-label="Memories by temperature">
        {temperatures.map((number, place) => (
          <li key={place} title={`${10 * place} to ${10 * (place + 1)} degrees: ${count(number)}`}>
            <span class="histogram-count">{number ? count(number) : ""}</span>
            <span
              class="histogram-bar"
              style={{
                ...heat(10 * place + 5),
                height: `${number ? Math.max(3, (7 * 16 * number) / most) : 1}px`,
              }}
            />
            <span class="histogram-name">{10 * place}°</span>
          </li>
        ))}
      </ol>
      <p class="quiet">{several(sacred, "memory is", "memories are")} pinned and never cool.</p>
    </Panel>
  );
}
