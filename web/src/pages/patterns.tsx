// What repeats: what tasks that ended alike have in common, how sure that is, and what it says of the next one.

import { useState } from "preact/hooks";
import { call } from "../api";
import { several } from "../format";
import { useLoad } from "../load";
import { route } from "../route";
import { user } from "../state";
import { Empty, Field, Page, Show } from "../ui";
import type { TaskPattern } from "../verbs";
import { PatternCard } from "./patterns/card";
import { PatternView } from "./patterns/pattern";
import { Questions } from "./patterns/questions";
import { Warn } from "./patterns/warn";
import "./patterns.css";

type Sort = TaskPattern["pattern_type"];
const SORTS: Record<Sort, string> = {
  success: "What succeeds",
  failure: "What fails",
  optimization: "What is quicker",
};
const MOST = 500;

export function PatternsPage() {
  const { id } = route.value;
  if (id) return <PatternView key={id} id={id} />;
  return <AllPatterns />;
}

function AllPatterns() {
  const [sort, setSort] = useState<Sort | "">("");
  const [retired, setRetired] = useState(false);
  const loaded = useLoad(
    (signal) =>
      call(
        "patterns.search",
        { user_id: user.value, pattern_type: sort || null, retired, limit: MOST },
        signal,
      ),
    [user.value, sort, retired],
  );
  return (
    <Page
      title="Patterns"
      about="What tasks that ended alike have in common, and how sure that is."
      tools={
        <>
          <label class="check">
            <input
              type="checkbox"
              checked={retired}
              onChange={(event) => setRetired(event.currentTarget.checked)}
            />
            Retired ones too
          </label>
          <Field label="Show">
            <select value={sort} onChange={(event) => setSort(event.currentTarget.value as Sort | "")}>
              <option value="">All</option>
              {Object.entries(SORTS).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </>
      }
    >
      <div class="beside">
        <Show of={loaded}>
          {({ patterns }) => (
            <div class="stack">
              {(Object.keys(SORTS) as Sort[]).map((key) => (
                <Group
                  key={key}
                  title={SORTS[key]}
                  patterns={patterns.filter((one) => one.pattern_type === key)}
                />
              ))}
              {!patterns.length && <NoPatterns />}
              {patterns.length === MOST && (
                <p class="quiet">The surest {several(MOST, "pattern")} are shown: choose a sort or a user.</p>
              )}
            </div>
          )}
        </Show>
        <aside class="stack" aria-label="Ask and answer">
          <Warn />
          <Questions answered={loaded.reload} />
        </aside>
      </div>
    </Page>
  );
}

function Group(props: { title: string; patterns: TaskPattern[] }) {
  if (!props.patterns.length) return null;
  return (
    <section class="stack">
      <h2>{props.title}</h2>
      {props.patterns.map((one) => (
        <PatternCard key={one.id} pattern={one} />
      ))}
    </section>
  );
}

function NoPatterns() {
  return (
    <Empty>
      <p>No pattern of this sort was learned yet.</p>
      <p>
        They come of tasks that end: <code>memory.tasks.finish</code> and <code>memory.experience.store</code>{" "}
        tell how, and <code>memory.patterns.extract</code> looks for what they have in common.{" "}
        <code>emberkeep demo</code> fills a store to look at.
      </p>
    </Empty>
  );
}
