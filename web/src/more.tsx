// Lists that show some at first, and more to whoever asks.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "./format";
import type { Pages } from "./paging";
import { Failure } from "./ui";

/** The end of a list: a button for more, why there is none, or that this is all. */
export function More<T>(props: { of: Pages<T> }) {
  const { more, busy, refused, full, reload } = props.of;
  const end = useRef<HTMLParagraphElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    // The button is gone with what it was for: who pressed it by key stays at the end of the list.
    if (asked.current && !more) end.current?.focus({ preventScroll: true });
  }, [more]);
  if (refused) return <Failure error={refused} again={reload} />;
  if (more)
    return (
      <button
        type="button"
        class="more"
        aria-disabled={busy}
        onClick={() => {
          asked.current = true;
          more();
        }}
      >
        {busy ? "Loading…" : "More"}
      </button>
    );
  if (!asked.current && !full) return null;
  return (
    <p class="quiet" tabIndex={-1} ref={end}>
      {full ? `There are more than the ${count(full)} that fit on a page: narrow it down.` : "That is all."}
    </p>
  );
}

/** The first few of what is here already, and a button for the others where there are any. */
export function useFew<T>(all: readonly T[], first: number): [readonly T[], ComponentChildren] {
  const [whole, setWhole] = useState(false);
  if (all.length <= first) return [all, null];
  const button = (
    <button type="button" class="small more" aria-expanded={whole} onClick={() => setWhole(!whole)}>
      {whole ? "Show fewer" : `Show ${count(all.length - first)} more`}
    </button>
  );
  return [whole ? all : all.slice(0, first), button];
}
