// One exchange as it was captured, word for word.

import { moment } from "./format";
import { useFew } from "./more";
import { Json, Words } from "./stored";
import { Badge } from "./ui";
import type { Details, Interaction, Message } from "./verbs";

/** The words of a message that something was learned from; of the whole message if it names none. */
export interface Quoted {
  position: number;
  quote?: string | null;
}

const FIRST = 20;

export function Exchange(props: { of: Interaction; quoted?: readonly Quoted[] }) {
  const quoted = props.quoted ?? [];
  // A long conversation at first as far as it was quoted.
  const first = Math.max(FIRST, ...quoted.map((one) => one.position + 1));
  const [few, others] = useFew(props.of.messages, first);
  return (
    <div class="exchange">
      <ol>
        {few.map((message, position) => (
          <Said key={position} message={message} quoted={quoted.filter((one) => one.position === position)} />
        ))}
      </ol>
      {others}
      {props.of.details && <Behind details={props.of.details} />}
    </div>
  );
}

function Said(props: { message: Message; quoted: readonly Quoted[] }) {
  const { role, name, content, timestamp, tool_calls } = props.message;
  const side = role === "user" ? "user" : role === "assistant" ? "assistant" : "other";
  return (
    <li class={`said ${side} ${props.quoted.length ? "source" : ""}`}>
      <p class="by">
        <bdi>{name ?? role}</bdi>
        {name && <Badge>{role}</Badge>}
        {timestamp && <time dateTime={timestamp}>{moment(timestamp)}</time>}
        {props.quoted.length > 0 && <Badge tone="warm">source</Badge>}
      </p>
      {role === "deleted" ? (
        <p class="quiet">These words were deleted.</p>
      ) : (
        <Words text={content} quotes={props.quoted.map((one) => one.quote ?? "")} />
      )}
      {tool_calls && tool_calls.length > 0 && <Hidden name="Tool calls" values={tool_calls} />}
    </li>
  );
}

/** What happened between the question and the answer. */
function Behind(props: { details: Details }) {
  const { skill_used, latency_ms, tool_calls, llm_messages } = props.details;
  const latencies = Object.entries(latency_ms ?? {});
  return (
    <div class="row behind">
      {skill_used && <Badge>skill: {skill_used}</Badge>}
      {latencies.map(([name, ms]) => (
        <Badge key={name}>
          {name}: {ms} ms
        </Badge>
      ))}
      <Hidden name="Tool calls" values={tool_calls ?? []} />
      <Hidden name="Messages to the model" values={llm_messages ?? []} />
    </div>
  );
}

function Hidden(props: { name: string; values: unknown[] }) {
  if (!props.values.length) return null;
  return (
    <details>
      <summary>
        {props.name} ({props.values.length})
      </summary>
      <Json value={props.values} />
    </details>
  );
}
