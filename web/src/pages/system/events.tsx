// What happens, as it happens.

import { brief, several } from "../../format";
import { address } from "../../route";
import { user } from "../../state";
import { Stored } from "../../stored";
import { Badge, Failure, Panel } from "../../ui";
import type { Event } from "../../verbs";
import { useEvents } from "./following";

const LOOKS = {
  connecting: { tone: "quiet", said: "connecting…" },
  live: { tone: "good", said: "● live" },
  away: { tone: "bad", said: "✗ the server is away: trying again" },
} as const;
const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

export function EventsPanel() {
  const { events, state, error, paused, held, pause, again } = useEvents();
  const mine = events.filter((one) => user.value === "*" || one.user_id === user.value);
  return (
    <Panel title="Events">
      <div class="row">
        <Badge tone={paused ? "warm" : LOOKS[state].tone}>{paused ? "‖ paused" : LOOKS[state].said}</Badge>
        <button type="button" onClick={pause}>
          {paused ? "Resume" : "Pause"}
        </button>
        <span class="quiet" role="status">
          {held > 0 && `${several(held, "event")} since`}
        </span>
      </div>
      {error && <Failure error={error} again={again} />}
      {!mine.length && (
        <p class="quiet">
          Nothing has happened since this page was opened. Whatever is added, learned, finished or moved shows
          here, and events of your own (<code>memory.events.publish</code>).
        </p>
      )}
      <ol class="event-list" aria-label="The latest events first">
        {mine.map((one) => (
          <Row key={one.id} event={one} />
        ))}
      </ol>
    </Panel>
  );
}

function Row(props: { event: Event }) {
  const { event } = props;
  const where = place(event);
  const type = <Stored text={event.type} most={80} />;
  return (
    <li>
      <time dateTime={event.at}>{clock.format(new Date(event.at))}</time>
      <span class="event-type">{where ? <a href={where}>{type}</a> : type}</span>
      <span class="event-said">
        {event.user_id && <Stored text={event.user_id} most={40} />}{" "}
        <span class="quiet">
          <Stored text={said(event.payload)} most={300} />
        </span>
      </span>
    </li>
  );
}

/** What an event says, in a line. */
function said(payload: Record<string, unknown>): string {
  return Object.entries(payload)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${brief(typeof value === "string" ? value : JSON.stringify(value), 80)}`)
    .join(", ");
}

/** Where what it is about can be looked at, if it still can. */
function place({ type, payload }: Event): string | null {
  const id = (name: string) => (typeof payload[name] === "string" ? String(payload[name]) : null);
  const task = id("task_id");
  if (task) return address("work", `task:${task}`);
  if (type.startsWith("memory.pattern.")) return address("patterns", id("pattern_id"));
  const gone = type === "memory.deleted" || !type.startsWith("memory.");
  return gone || !id("id") ? null : address("memories", id("id"));
}
