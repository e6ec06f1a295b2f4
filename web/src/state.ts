// What the whole page shares: whose memories are looked at, the key they are opened with, and how it looks.

import { effect, type Signal, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

/** The key, kept for this tab only. */
export const apiKey = kept<string>(() => sessionStorage, "emberkeep.key", "");

/** Whose memories are shown: a user's id, or "*" for everyone's. */
export const user = kept<string>(() => sessionStorage, "emberkeep.user", "*");

/** Whether the key is for one user: it shows their memories if nobody is named, and refuses to show everyone's. */
export const alone = signal(false);

export const theme = kept<Theme>(() => localStorage, "emberkeep.theme", "system");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** A signal that is still so after a reload, where the browser keeps anything at all for a page. */
function kept<T extends string>(storage: () => Storage, name: string, first: T): Signal<T> {
  const found = signal(first);
  try {
    found.value = (storage().getItem(name) as T | null) ?? first;
    effect(() => storage().setItem(name, found.value));
  } catch {
    // It is blocked, by a setting or a policy: then it is so until the page is closed.
  }
  return found;
}
