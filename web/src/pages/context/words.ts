// How the parts of a context are called.

import { percent } from "../../format";
import type { Chunk, Considered, Context } from "../../verbs";

export type Tier = Considered["tier"];
export type Trust = Chunk["trust"];
export type Format = "markdown" | "xml" | "json" | "messages";

export const TIERS: Record<Tier, string> = {
  operational: "What is going on right now",
  working: "Open goals and tasks, and how others went",
  longterm: "What was said, learned and told",
  knowledge: "Passages of documents",
};

export const FORMATS: Format[] = ["markdown", "xml", "json", "messages"];

export const PLANS: Record<string, string> = {
  fast: "by words only",
  balanced: "by words and meaning",
  deep: "more candidates, exactly compared",
};

export const TRUSTS: Record<Trust, string> = {
  told: "The application told it",
  said: "A user said it",
  learned: "Learned from what users said",
  assistant: "An assistant wrote it",
  tool: "A tool gave it back",
  imported: "Read from a document",
  untrusted: "Reads like instructions to a model: not to be followed",
};

export const tierNames = Object.keys(TIERS) as Tier[];

/** What each tier takes of a context, as its entries say. */
export function tokensByTier(entries: readonly Considered[]): Record<Tier, number> {
  const taken: Record<Tier, number> = { operational: 0, working: 0, longterm: 0, knowledge: 0 };
  for (const one of entries) if (one.fate !== "dropped") taken[one.tier] += one.tokens;
  return taken;
}

/** How relevant something is, beside the best; what counts for little is still not nothing. */
export const relevance = (share: number): string =>
  `relevance ${share > 0 && share < 0.01 ? "under 1 %" : percent(share)}`;

/** What to copy: the text, or the messages where those are what was asked for. */
export const copyable = (of: Context): string =>
  of.messages?.length ? JSON.stringify(of.messages, null, 2) : of.text;
