// What was said and done, exchange by exchange, and what was learned from it.

import { useState } from "preact/hooks";
import { route } from "../route";
import { Page } from "../ui";
import { Backlog, useBacklog } from "./timeline/backlog";
import { Exchanges } from "./timeline/exchanges";
import { OneExchange } from "./timeline/one";
import { SessionList } from "./timeline/sessions";
import "./timeline.css";

export function TimelinePage() {
  const { id, query } = route.value;
  const [turn, setTurn] = useState(0);
  const waiting = useBacklog(turn);
  const session = query.get("session");
  const owner = query.get("of");
  return (
    <Page title="Timeline" about="What was said, latest first, and what was learned from it.">
      <Backlog of={waiting} learned={() => setTurn((before) => before + 1)} />
      {id === null ? (
        <div class="timeline">
          <SessionList session={session} owner={owner} />
          <Exchanges session={session} owner={owner} waiting={waiting.value ?? []} turn={turn} />
        </div>
      ) : (
        <OneExchange key={id} id={id} waiting={waiting.value ?? []} turn={turn} />
      )}
    </Page>
  );
}
