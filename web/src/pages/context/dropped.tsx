// What was considered and left out, and why. A record holds no texts, so those are read when they are looked at.

import { useState } from "preact/hooks";
import { call } from "../../api";
import { brief, several } from "../../format";
import { useLoad } from "../../load";
import { Badge, MemoryLink } from "../../ui";
import type { Considered } from "../../verbs";
import { relevance, TIERS } from "./words";

const PAGE = 10;
const WHY: Record<string, string> = {
  "over budget": "over budget: what it would take was worth more elsewhere",
  "tier is full": "its tier is full: others of that tier were worth more",
  "nothing to read": "nothing to read in it",
};

export function Dropped(props: { of: readonly Considered[] }) {
  if (!props.of.length) return <p class="quiet">Nothing: all that was considered is in it.</p>;
  return <Entries of={props.of} />;
}

/** Entries, some at a time, since each is read from the service. */
export function Entries(props: { of: readonly Considered[] }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ol class="chosen">
        {props.of.slice(0, shown).map((one) => (
          <li key={one.key} class={`entry ${one.tier}`}>
            <Thing of={one.key} />
            {one.why && <Why of={one.why} trimmed={one.fate === "trimmed"} />}
            <p class="row traits">
              <span title={TIERS[one.tier]}>
                <Badge>{one.tier}</Badge>
              </span>
              <Badge>{one.kind}</Badge>
              <span class="quiet">
                {several(one.tokens, "token")} · {relevance(one.value)}
              </span>
            </p>
          </li>
        ))}
      </ol>
      {shown < props.of.length && (
        <button type="button" class="more" onClick={() => setShown(shown + PAGE)}>
          More
        </button>
      )}
    </>
  );
}

function Why(props: { of: string; trimmed: boolean }) {
  const same = props.of.match(/^duplicate of item:(.+)$/)?.[1];
  if (same)
    return (
      <p class="why-not">
        Says the same as <MemoryLink id={same}>one that is in it</MemoryLink>
      </p>
    );
  return (
    <p class="stored why-not">{props.trimmed ? "Only its beginning fits" : (WHY[props.of] ?? props.of)}</p>
  );
}

/** What a key stands for, in a line. */
function Thing(props: { of: string }) {
  const colon = props.of.indexOf(":");
  const [noun, id] = colon < 0 ? [props.of, ""] : [props.of.slice(0, colon), props.of.slice(colon + 1)];
  if (noun === "state" || noun === "event")
    return (
      <p>{noun === "state" ? "How things stood at that moment" : "Something that happened just then"}</p>
    );
  return <Named noun={noun} id={id} />;
}

/** A record of what was considered holds no text: this reads it, if it is still there. */
function Named(props: { noun: string; id: string }) {
  const { noun, id } = props;
  const found = useLoad((signal) => textOf(noun, id, signal), [noun, id]);
  if (found.value === undefined) return <p class="quiet">{found.error ? `${noun}: no longer there` : "…"}</p>;
  const words = brief(found.value, 200);
  return (
    <p class="stored" dir="auto">
      {noun === "item" ? <MemoryLink id={id}>{words}</MemoryLink> : words}
    </p>
  );
}

async function textOf(noun: string, id: string, signal: AbortSignal): Promise<string> {
  if (noun === "goal") return (await call("goals.get", { id }, signal)).description;
  if (noun === "task") return (await call("tasks.get", { id }, signal)).description;
  if (noun === "item") return (await call("get", { id }, signal)).text;
  return `${noun} ${id}`;
}
