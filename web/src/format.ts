// Numbers and times for people.

const numbers = new Intl.NumberFormat("en");
const days = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export const count = (value: number): string => numbers.format(value);
export const day = (value: string): string => days.format(new Date(value));
export const moment = (value: string): string => moments.format(new Date(value));
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** "1 memory", "3 memories". */
export const several = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** How long ago, roughly. */
export function ago(value: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(value).getTime()) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const past = Math.floor(seconds / 86_400);
  return past === 1 ? "yesterday" : past < 60 ? `${past} days ago` : day(value);
}

/** The beginning of a text, without the half of a character that a cut may leave, as of an emoji. */
export const begin = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");

/** A text in so many characters. */
export const brief = (text: string, most = 160): string =>
  text.length > most ? `${begin(text, most - 1).trimEnd()}…` : text;

/** How long something took. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
