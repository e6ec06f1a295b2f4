// Correcting a memory, pinning it, and forgetting it.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Refused, type Takes } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { several } from "../../format";
import { go } from "../../route";
import { Dialog, Field } from "../../ui";
import type { Memory } from "../../verbs";
import { asked, KINDS, type Kind, written } from "./asked";
import { done, looked } from "./list";
import { Elsewhere } from "./record";
import { TagsField } from "./tags";

type Changes = Omit<Takes<"update">, "id">;

/** What is done to a memory; of what stands for a record, where that is done. */
export function Care(props: { of: Memory; changed: () => void }) {
  const { of, changed } = props;
  const [mode, setMode] = useState<"edit" | "forget" | null>(null);
  const doing = useDoing();
  const edit = useRef<HTMLButtonElement>(null);
  const edited = useRef(false);
  useEffect(() => {
    if (edited.current && mode === null) edit.current?.focus(); // where the reader was before
    edited.current = mode === "edit";
  }, [mode]);
  if (of.record) return <Elsewhere record={of.record} />;

  const close = () => {
    doing.quit();
    setMode(null);
  };
  const pin = () =>
    doing.run(async () => {
      await call("update", { id: of.id, sacred: !of.sacred });
      changed();
      return of.sacred ? "Unpinned: it cools from now on." : "Pinned: it never cools.";
    });
  const save = (changes: Changes) =>
    doing.run(async () => {
      await call("update", { id: of.id, ...changes }, null, of).catch(seenAnew);
      setMode(null);
      changed();
      return "text" in changes ? "Changed. What it said before is below." : "Changed.";
    });
  /** What was typed stays, and stands beside what somebody else wrote meanwhile. */
  const seenAnew = (refused: unknown) => {
    if (!(refused instanceof Refused && refused.status === 412)) throw refused;
    changed();
    throw new Error("Somebody changed it meanwhile: what it says now is above. Decide anew.");
  };

  return (
    <>
      {mode === "edit" ? (
        <Edit of={of} busy={doing.busy} close={close} save={save} />
      ) : (
        <div class="row">
          <button ref={edit} type="button" onClick={() => setMode("edit")}>
            Edit
          </button>
          <button type="button" onClick={pin} aria-disabled={doing.busy} aria-pressed={of.sacred}>
            {of.sacred ? "★ Unpin" : "☆ Pin"}
          </button>
          <button type="button" class="danger" onClick={() => setMode("forget")}>
            Forget…
          </button>
        </div>
      )}
      <Outcome of={doing} />
      {mode === "forget" && <Forget of={of} seenAnew={seenAnew} close={close} />}
    </>
  );
}

function Edit(props: { of: Memory; busy: boolean; close: () => void; save: (changes: Changes) => void }) {
  // As it was when the form was opened: what is sent is what was changed here, not what others changed meanwhile.
  const [before] = useState(props.of);
  const [text, setText] = useState(before.text);
  const [kind, setKind] = useState<Kind>(before.kind);
  const [tags, setTags] = useState(before.tags);

  function save(): void {
    const changes: Changes = {
      ...(text !== before.text ? { text } : {}),
      ...(kind !== before.kind ? { kind } : {}),
      ...(tags.join("\n") !== before.tags.join("\n") ? { tags } : {}),
    };
    if (Object.keys(changes).length) props.save(changes);
    else props.close();
  }

  return (
    <form
      class="stack"
      aria-label="Edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label="Text">
        <textarea
          rows={Math.min(12, 3 + Math.floor(text.length / 80))}
          dir="auto"
          value={text}
          ref={(box) => {
            if (box && box.dataset.met === undefined) {
              box.dataset.met = ""; // once, or typing would be interrupted
              box.focus();
            }
          }}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <Field label="Kind">
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {Object.keys(KINDS).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </Field>
      <TagsField tags={tags} change={setTags} />
      <div class="row">
        <button type="submit" aria-disabled={props.busy}>
          Save
        </button>
        <button type="button" onClick={props.close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Forget(props: { of: Memory; seenAnew: (refused: unknown) => never; close: () => void }) {
  const { of } = props;
  const doing = useDoing();
  const forget = () =>
    doing.run(async () => {
      const receipt = await call("delete", { id: of.id }, null, of).catch(props.seenAnew);
      done.value = `Forgotten, with its history: ${several(receipt.total, "row")} removed.`;
      looked.value = null;
      go("memories", null, written(asked()));
      return null;
    });

  return (
    <Dialog title="Forget this memory?" close={props.close}>
      <div class="stack">
        <p>
          It is removed for good, with its history and what it is found by
          {of.kind === "episode" ? ", and its words leave the log" : ""}. There is no way back, except a
          backup.
        </p>
        <Outcome of={doing} />
        <div class="row">
          <button type="button" class="danger" aria-disabled={doing.busy} onClick={forget}>
            Forget for good
          </button>
          <button type="button" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
            Keep it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
