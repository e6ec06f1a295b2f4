// Where we are: the page is in the fragment of the address, so that it can be linked to and the server need not know.

import { signal } from "@preact/signals";

export interface Route {
  page: string;
  /** The id of what is open on the page, if something is. */
  id: string | null;
  query: URLSearchParams;
}

export const route = signal(read());

/** Whether the reader has been elsewhere in this tab; if not, the page leaves the focus where the browser put it. */
export let moved = false;

window.addEventListener("hashchange", () => {
  moved = true;
  route.value = read();
});

/** The address of a page, for links. */
export function address(page: string, id?: string | null, query?: Record<string, string | null>): string {
  const pairs = Object.entries(query ?? {}).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const asked = new URLSearchParams(pairs).toString();
  return `#${page}${id ? `/${encodeURIComponent(id)}` : ""}${asked && `?${asked}`}`;
}

export function go(page: string, id?: string | null, query?: Record<string, string | null>): void {
  window.location.hash = address(page, id, query);
}

/** Change what is asked for without leaving a step to go back to, as while typing. */
export function stay(page: string, id: string | null, query: Record<string, string | null>): void {
  window.history.replaceState(null, "", address(page, id, query));
  route.value = read();
}

function read(): Route {
  const [path, asked] = parted(window.location.hash.slice(1), "?");
  const [page, id] = parted(path, "/"); // an id that was typed by hand may have slashes too
  return { page: page || "memories", id: id ? decoded(id) : null, query: new URLSearchParams(asked) };
}

/** What is before and what is after the first one of a sign. */
function parted(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
