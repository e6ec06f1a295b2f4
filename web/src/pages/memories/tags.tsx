// The tags of a memory: to see what else has them, to take away and to add.

import { useState } from "preact/hooks";
import { useFew } from "../../more";
import { Field } from "../../ui";
import { tagged } from "./asked";

export function Tags(props: { of: readonly string[] }) {
  const [few, others] = useFew(props.of, 8);
  return (
    <>
      {few.map((tag) => (
        <a key={tag} class="badge tag" href={tagged(tag)}>
          #{tag}
        </a>
      ))}
      {others}
    </>
  );
}

export function TagsField(props: { tags: string[]; change: (tags: string[]) => void }) {
  const { tags, change } = props;
  const [typed, setTyped] = useState("");

  function add(): void {
    const tag = typed.trim();
    if (tag && !tags.includes(tag)) change([...tags, tag]);
    setTyped("");
  }

  return (
    <div class="tags-field">
      {tags.length > 0 && (
        <ul class="row" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} class="badge">
              <span>#{tag}</span>
              <button
                type="button"
                class="plain"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => change(tags.filter((one) => one !== tag))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field label="Another tag">
        <input
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={add} // so that one that was typed and not entered is not lost on saving
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
      </Field>
    </div>
  );
}
