// Memories in a list: found by a question, best first, or all of them, latest first.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../api";
import { several } from "../../format";
import { type Part, usePages } from "../../paging";
import { Done, LeftOut, More } from "../../reading";
import { user } from "../../state";
import { Empty, Page, Show } from "../../ui";
import type { Hit, Hits, Memory } from "../../verbs";
import { type Asked, asked, narrowed, where } from "./asked";
import { Card } from "./card";
import { Filters, SearchField } from "./filters";

const PAGE = 25;

/** What was done to a memory that is no longer there to say it. */
export const done = signal<string | null>(null);

/** The memory that was looked at last, to go on from there. */
export const looked = signal<string | null>(null);

export function MemoryList() {
  const now = asked();
  const depends = [JSON.stringify(now), user.value];
  const found = usePages<Memory | Hit, string | number>(
    (at, quit) => (now.query.trim() ? search(now, at, quit) : latest(now, at, quit)),
    depends,
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
      {done.value && <Done>{done.value}</Done>}
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

async function latest(
  of: Asked,
  cursor: string | number | null,
  quit: AbortSignal,
): Promise<Part<Memory, string>> {
  const takes = { ...where(of, user.value), limit: PAGE, cursor: cursor === null ? null : String(cursor) };
  const page = await call("get_all", takes, quit);
  return { some: page.memories, next: page.next };
}

/** A search has no pages: the next ones are those of a longer answer. */
async function search(
  of: Asked,
  before: string | number | null,
  quit: AbortSignal,
): Promise<Part<Hit, number>> {
  const shown = Number(before ?? 0);
  const limit = Math.min(shown + PAGE, 1000);
  const takes = { ...where(of, user.value), query: of.query, limit, include_cold: of.cold };
  const found = (await call("search", takes, quit)) as Hits;
  const more = found.memories.length === limit && limit < 1000;
  return { some: found.memories.slice(shown), next: more ? limit : null, degraded: found.degraded };
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
