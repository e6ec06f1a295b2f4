// The questions whose answer would teach most.

import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { percent } from "../../format";
import { useLoad } from "../../load";
import { address } from "../../route";
import { user } from "../../state";
import { Stored } from "../../stored";
import { Panel, Show } from "../../ui";
import type { Question } from "../../verbs";

export function Questions(props: { answered: () => void }) {
  const loaded = useLoad(
    (signal) => call("patterns.ask", { user_id: user.value, limit: 3 }, signal),
    [user.value],
  );
  const doing = useDoing();
  const answer = ({ pattern }: Question, helpful: boolean) =>
    doing.run(async () => {
      const rated = await call("patterns.feedback", { pattern_id: pattern.id, helpful });
      loaded.reload();
      props.answered();
      return `Kept: it is ${percent(rated.confidence_score)} sure now.`;
    });
  return (
    <Panel title="What would teach most">
      <Outcome of={doing} focus />
      <Show of={loaded}>
        {({ questions }) => (
          <ul class="stack">
            {questions.map((one) => (
              <li key={one.pattern.id} class="question">
                <p>
                  Is this so?{" "}
                  <a href={address("patterns", one.pattern.id)}>
                    <Stored text={one.pattern.description} most={200} />
                  </a>
                </p>
                <div class="row">
                  <button type="button" aria-disabled={doing.busy} onClick={() => answer(one, true)}>
                    Yes
                  </button>
                  <button type="button" aria-disabled={doing.busy} onClick={() => answer(one, false)}>
                    No
                  </button>
                </div>
              </li>
            ))}
            {!questions.length && (
              <li class="quiet">There is nothing to ask about until a pattern is learned.</li>
            )}
          </ul>
        )}
      </Show>
    </Panel>
  );
}
