// What the whole page shares: whose memories are looked at, the key they are opened with, and how it looks.

import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

/** The key, kept for this tab only. */
export const apiKey = signal(sessionStorage.getItem("emberkeep.key") ?? "");

/** Whose memories are shown: a user's id, or "*" for everyone's. */
export const user = signal(sessionStorage.getItem("emberkeep.user") ?? "*");

/** Whether the key is for one user: it shows their memories if nobody is named, and refuses to show everyone's. */
export const alone = signal(false);

export const theme = signal<Theme>((localStorage.getItem("emberkeep.theme") as Theme | null) ?? "system");

effect(() => sessionStorage.setItem("emberkeep.key", apiKey.value));
effect(() => sessionStorage.setItem("emberkeep.user", user.value));
effect(() => {
  localStorage.setItem("emberkeep.theme", theme.value);
  document.documentElement.dataset.theme = theme.value;
});
