// The words that are searched for, and what narrows the list.

import { useEffect, useRef, useState } from "preact/hooks";
import { several } from "../../format";
import { useRested } from "../../load";
import { Field } from "../../ui";
import { type Asked, ask, KINDS, type Kind, narrowed } from "./asked";

/** A text that is written to the address once it has rested, and follows the address when that is changed elsewhere. */
function useTyped(now: string, write: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(now);
  const rested = useRested(typed);
  const written = useRef(now);
  useEffect(() => {
    if (rested === written.current) return;
    written.current = rested;
    write(rested);
  }, [rested]);
  useEffect(() => {
    if (now === written.current) return;
    written.current = now;
    setTyped(now);
  }, [now]);
  return [typed, setTyped];
}

export function SearchField(props: { query: string; focus: boolean }) {
  const [typed, setTyped] = useTyped(props.query, (query) => ask({ query }));
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.focus) box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Field label="Search">
      <input
        ref={box}
        class="search"
        type="search"
        placeholder="Where does she live? What went wrong last week?"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </Field>
  );
}

export function Filters(props: { of: Asked }) {
  const { of } = props;
  const [open, setOpen] = useState(narrowed(of) > 0);
  const [tag, setTag] = useTyped(of.tag, (text) => ask({ tag: text.trim() }));
  const number = narrowed(of);
  return (
    <details class="filters" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{number ? several(number, "filter") : "Filters"}</summary>
      <div class="stack">
        <Kinds chosen={of.kinds} />
        <div class="filter-row">
          <Field label="Tag">
            <input value={tag} onInput={(event) => setTag(event.currentTarget.value)} />
          </Field>
          <Day label="From" value={of.since} change={(since) => ask({ since })} />
          <Day label="To" value={of.until} change={(until) => ask({ until })} />
          <Day label="As it was on" value={of.asOf} change={(asOf) => ask({ asOf })} />
          <label class="check">
            <input
              type="checkbox"
              checked={of.cold}
              onChange={(event) => ask({ cold: event.currentTarget.checked })}
            />
            Search cold ones too
          </label>
          {number > 0 && (
            <button
              type="button"
              onClick={() => ask({ kinds: [], tag: "", since: "", until: "", asOf: "", cold: false })}
            >
              Clear filters
            </button>
          )}
        </div>
      </div>
    </details>
  );
}

function Kinds(props: { chosen: Kind[] }) {
  return (
    <fieldset class="choices">
      <legend>Kinds</legend>
      {(Object.entries(KINDS) as [Kind, string][]).map(([kind, about]) => (
        <label key={kind} class="choice" title={about}>
          <input
            type="checkbox"
            checked={props.chosen.includes(kind)}
            onChange={(event) =>
              ask({
                kinds: event.currentTarget.checked
                  ? [...props.chosen, kind]
                  : props.chosen.filter((one) => one !== kind),
              })
            }
          />
          {kind}
        </label>
      ))}
    </fieldset>
  );
}

function Day(props: { label: string; value: string; change: (day: string) => void }) {
  const day = /^\d{4}-\d\d-\d\d$/.test(props.value) ? props.value : ""; // an address may say anything
  return (
    <Field label={props.label}>
      <input type="date" value={day} onChange={(event) => props.change(event.currentTarget.value)} />
    </Field>
  );
}
