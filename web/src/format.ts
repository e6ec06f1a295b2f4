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

/** A text in so many characters. */
export const brief = (text: string, most = 160): string =>
  text.length > most ? `${begin(text, most - 1).trimEnd()}…` : text;

/** The beginning of a text, not ending in half a character. */
export function begin(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
