// One exchange by its id: where what was learned leads back to.

import { useEffect, useRef } from "preact/hooks";
import { call } from "../../api";
import { useLoad } from "../../load";
import { address, moved } from "../../route";
import { isEmpty, Json } from "../../stored";
import { Panel, Show, When } from "../../ui";
import type { Waiting } from "../../verbs";
import { Lived } from "./lived";

export function OneExchange(props: { id: string; waiting: Waiting[]; turn: number }) {
  const exchange = useLoad((signal) => call("capture.get", { id: props.id }, signal), [props.id]);
  const back = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    if (moved) back.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="stack">
      <p>
        <a ref={back} href={address("timeline")}>
          ← The whole timeline
        </a>
      </p>
      <Show of={exchange}>
        {(one) => (
          <div class="stack">
            <ol class="lived-list">
              <Lived
                of={one}
                waiting={props.waiting.find((other) => other.interaction_id === one.id)}
                turn={props.turn}
              />
            </ol>
            <Panel title="About it">
              <dl class="pairs">
                <dt>Happened</dt>
                <dd>
                  <When at={one.occurred_at} />
                </dd>
                <dt>Recorded</dt>
                <dd>
                  <When at={one.recorded_at} />
                </dd>
                <dt>Id</dt>
                <dd>
                  <code>{one.id}</code>
                </dd>
              </dl>
              {!isEmpty(one.metadata) && (
                <div>
                  <h3>Metadata</h3>
                  <Json value={one.metadata} />
                </div>
              )}
            </Panel>
          </div>
        )}
      </Show>
    </div>
  );
}
