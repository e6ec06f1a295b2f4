// A memory in a list, and why it is where it is.

import { brief, several } from "../../format";
import { user } from "../../state";
import { Badge, heat, Temperature, When } from "../../ui";
import type { Hit, Memory } from "../../verbs";
import { opened } from "./asked";
import { Reasons } from "./reasons";
import { Tags } from "./tags";

export function Card(props: { of: Memory | Hit }) {
  const { of } = props;
  return (
    <li class="memory" style={heat(of.temperature)}>
      <a id={`memory-${of.id}`} class="stored" dir="auto" href={opened(of.id)}>
        {brief(of.text, 320)}
      </a>
      <p class="row traits">
        <Temperature value={of.temperature} sacred={of.sacred} />
        <Badge>{of.kind}</Badge>
        {user.value === "*" && of.user_id && <Badge>{of.user_id}</Badge>}
        {of.valid_to && <Badge tone="bad">no longer so</Badge>}
        <Tags of={of.tags} />
        <span class="quiet">
          <When at={of.occurred_at} />
        </span>
        {"why" in of && <span class="quiet score">score {of.score.toFixed(2)}</span>}
      </p>
      {"why" in of && (
        <details class="why">
          <summary>
            Why it is here{of.why.terms.length > 0 && `: ${several(of.why.terms.length, "word")} in common`}
          </summary>
          <Reasons of={of} />
        </details>
      )}
    </li>
  );
}
