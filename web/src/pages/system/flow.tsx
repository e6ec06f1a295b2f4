// The tiers as a picture: what each holds, and what is due to move on.

import { count } from "../../format";
import type { Overview } from "../../verbs";

export function Flow(props: { overview: Overview }) {
  const { tiers, due } = props.overview;
  const ended = (due.tasks ?? 0) + (due.goals ?? 0) + (due.decisions ?? 0);
  return (
    <ol class="flow" aria-label="Tiers">
      <Tier area="events" name="Live events" of={tiers.events} about="in this process" />
      <Arrow area="told" said={moving(due.events ?? 0, "of past days")} />
      <Tier area="open" name="Open work" of={tiers.open} about="goals and tasks" />
      <Arrow area="ends" said="as it ends" />
      <Tier area="finished" name="Finished work" of={tiers.finished} about="not archived yet" />
      <Arrow area="archived" said={moving(ended)} />
      <Tier area="kept" name="Long-term" of={tiers.long_term} about="found by every search" />
      <Arrow area="demoted" said={moving(due.demoted ?? 0)} />
      <Tier area="cold" name="Cold" of={tiers.cold} about="found when asked for" />
    </ol>
  );
}

const moving = (number: number, which = ""): string =>
  number ? `${count(number)} ${which && `${which} `}due` : "nothing due";

function Tier(props: { area: string; name: string; of: number | undefined; about: string }) {
  return (
    <li class={`tier at-${props.area}`}>
      <span class="tier-name">{props.name}</span>
      <strong class="tier-count">{count(props.of ?? 0)}</strong>
      <span class="quiet">{props.about}</span>
    </li>
  );
}

function Arrow(props: { area: string; said: string }) {
  return (
    <li class={`arrow at-${props.area}`}>
      <span>{props.said}</span>
      <span class="arrow-line" aria-hidden="true" />
    </li>
  );
}
