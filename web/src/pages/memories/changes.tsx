// What happened to a memory, latest first, with the texts that it had.

import { call } from "../../api";
import { useLoad } from "../../load";
import { Words } from "../../stored";
import { Panel, Show, Temperature, When } from "../../ui";
import type { Change, Memory } from "../../verbs";

const SAID: Record<Change["action"], string> = {
  added: "Added",
  updated: "Changed",
  reheated: "Told again",
  refined: "Told in more detail",
  superseded: "No longer so: something newer took its place",
  retracted: "Taken back",
  restored: "Held again",
  deleted: "Forgotten",
};

export function Changes(props: { of: Memory; turn: number }) {
  const { of, turn } = props;
  const history = useLoad((signal) => call("history", { id: of.id }, signal), [of.id, turn]);
  return (
    <Panel title="What happened to it">
      <Show of={history}>
        {({ changes }) => (
          <ol class="changes">
            {changes.toReversed().map((change) => (
              <li key={`${change.at} ${change.action} ${change.text}`}>
                <p class="row">
                  <strong>{SAID[change.action]}</strong>
                  {typeof change.temperature === "number" && <Temperature value={change.temperature} />}
                  <span class="quiet">
                    <When at={change.at} />
                  </span>
                </p>
                {change.previous_text && (
                  <div class="former">
                    <span class="quiet">It said before:</span>
                    <Words text={change.previous_text} />
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </Show>
    </Panel>
  );
}
