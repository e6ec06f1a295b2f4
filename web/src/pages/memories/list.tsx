// Memories in a list: found by a question, best first, or all of them, latest first.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../api";
import { Done } from "../../doing";
import { several } from "../../format";
import { More } from "../../more";
import { type Part, usePages } from "../../paging";
import { user } from "../../state";
import { Empty, LeftOut, Page, Show } from "../../ui";
import type { Hit, Hits, Memory } from "../../verbs";
import { type Asked, asked, narrowed, where } from "./asked";
import { Card } from "./card";
import { Filters, SearchField } from "./filters";

const MOST_HITS = 1000; // that the service gives

/** What was done to a memory that is no longer there to say it. */
export const done = signal<string | null>(null);

/** The memory that was looked at last, to go on from there. */
export const looked = signal<string | null>(null);

export function MemoryList() {
  const now = asked();
  const searching = Boolean(now.query.trim());
  const found = usePages(
    (limit, quit) => (searching ? search(now, limit, quit) : latest(now, limit, quit)),
    [now, user.value],
    searching ? { first: 25, most: MOST_HITS } : { first: 25 },
  );
  useEffect(
    () => () => {
      done.value = null;
    },
    [],
  );
  const back = looked.value;
  const there = found.value?.some((one) => one.id === back) ?? false;
  useEffect(() => {
    if (!back || !there) return;
    document.getElementById(`memory-${back}`)?.focus();
    looked.value = null;
  }, [back, there]);
  return (
    <Page title="Memories" about="What is remembered, how warm it is, and why it is found.">
      <Done>{done.value}</Done>
      <search class="stack">
        <SearchField query={now.query} focus={done.value !== null} />
        <Filters of={now} />
      </search>
      <LeftOut degraded={found.degraded} />
      <Show of={found}>
        {(some) =>
          some.length ? (
            <div class="stack">
              <p class="quiet" role="status">
                {several(some.length, "memory", "memories")},{" "}
                {some.some((one) => "why" in one) ? "best" : "latest"} first
              </p>
              <ol class="memories">
                {some.map((one) => (
                  <Card key={one.id} of={one} />
                ))}
              </ol>
              <More of={found} />
            </div>
          ) : (
            <Nothing of={now} />
          )
        }
      </Show>
    </Page>
  );
}

async function latest(of: Asked, limit: number, quit: AbortSignal): Promise<Part<(Memory | Hit)[]>> {
  const { memories, next } = await call("get_all", { ...where(of, user.value), limit }, quit);
  return { some: memories, more: next !== null };
}

async function search(of: Asked, limit: number, quit: AbortSignal): Promise<Part<(Memory | Hit)[]>> {
  const takes = { ...where(of, user.value), query: of.query, limit, include_cold: of.cold };
  const { memories, degraded } = (await call("search", takes, quit)) as Hits;
  return { some: memories, more: memories.length === limit, degraded };
}

function Nothing(props: { of: Asked }) {
  if (props.of.query.trim() || narrowed(props.of))
    return (
      <Empty>
        <p>Nothing like that is remembered{user.value === "*" ? "" : ` of ${user.value}`}.</p>
        <p class="quiet">Take other words, fewer filters, or look at everyone.</p>
      </Empty>
    );
  return (
    <Empty>
      <p>Nothing is remembered{user.value === "*" ? " yet" : ` of ${user.value}`}.</p>
      <p class="quiet">
        <code>emberkeep demo</code> fills a store to look around in; <code>emberkeep add</code> and{" "}
        <code>memory.add(…)</code> are how an agent fills its own.
      </p>
    </Empty>
  );
}
