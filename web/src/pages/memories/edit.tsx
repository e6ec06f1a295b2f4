// Correcting a memory, pinning it, and forgetting it.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Takes } from "../../api";
import { several } from "../../format";
import { go } from "../../route";
import { Dialog, Failure, Field } from "../../ui";
import type { Memory } from "../../verbs";
import { asked, KINDS, type Kind, written } from "./asked";
import { done, looked } from "./list";
import { Elsewhere } from "./record";
import { TagsField } from "./tags";

/** What is done to a memory; of what stands for a record, where that is done. */
export function Care(props: { of: Memory; changed: (what: string) => void }) {
  const { of, changed } = props;
  const [mode, setMode] = useState<"edit" | "forget" | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const edited = useRef(false);
  useEffect(() => {
    if (edited.current && mode === null) edit.current?.focus(); // where the reader was before
    edited.current = mode === "edit";
  }, [mode]);
  if (of.record) return <Elsewhere record={of.record} />;

  async function pin(): Promise<void> {
    setError(null);
    try {
      await call("update", { id: of.id, sacred: !of.sacred });
      changed(of.sacred ? "Unpinned: it cools from now on." : "Pinned: it never cools.");
    } catch (refused) {
      setError(refused as Error);
    }
  }

  return (
    <>
      {error && <Failure error={error} again={() => void pin()} />}
      {mode === "edit" ? (
        <Edit
          of={of}
          close={() => setMode(null)}
          changed={(what) => {
            setMode(null);
            changed(what);
          }}
        />
      ) : (
        <div class="row">
          <button ref={edit} type="button" onClick={() => setMode("edit")}>
            Edit
          </button>
          <button type="button" onClick={() => void pin()} aria-pressed={of.sacred}>
            {of.sacred ? "★ Unpin" : "☆ Pin"}
          </button>
          <button type="button" class="danger" onClick={() => setMode("forget")}>
            Forget…
          </button>
        </div>
      )}
      {mode === "forget" && <Forget of={of} close={() => setMode(null)} />}
    </>
  );
}

function Edit(props: { of: Memory; close: () => void; changed: (what: string) => void }) {
  const { of } = props;
  const [text, setText] = useState(of.text);
  const [kind, setKind] = useState<Kind>(of.kind);
  const [tags, setTags] = useState(of.tags);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const changes: Omit<Takes<"update">, "id"> = {
    ...(text !== of.text ? { text } : {}),
    ...(kind !== of.kind ? { kind } : {}),
    ...(tags.join("\n") !== of.tags.join("\n") ? { tags } : {}),
  };

  async function save(): Promise<void> {
    if (busy) return;
    if (!Object.keys(changes).length) return props.close();
    setBusy(true);
    try {
      await call("update", { id: of.id, ...changes });
      props.changed("text" in changes ? "Changed. What it said before is below." : "Changed.");
    } catch (refused) {
      setError(refused as Error);
      setBusy(false);
    }
  }

  return (
    <form
      class="stack"
      aria-label="Edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
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
      {error && <Failure error={error} />}
      <div class="row">
        <button type="submit" aria-disabled={busy}>
          Save
        </button>
        <button type="button" onClick={props.close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Forget(props: { of: Memory; close: () => void }) {
  const { of } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);

  async function forget(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const receipt = await call("delete", { id: of.id });
      done.value = `Forgotten, with its history: ${several(receipt.total, "row")} removed.`;
      looked.value = null;
      go("memories", null, written(asked()));
    } catch (refused) {
      setError(refused as Error);
      setBusy(false);
    }
  }

  return (
    <Dialog title="Forget this memory?" close={props.close}>
      <div class="stack">
        <p>
          It is removed for good, with its history and what it is found by
          {of.kind === "episode" ? ", and its words leave the log" : ""}. There is no way back, except a
          backup.
        </p>
        {error && <Failure error={error} />}
        <div class="row">
          <button type="button" class="danger" aria-disabled={busy} onClick={() => void forget()}>
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
