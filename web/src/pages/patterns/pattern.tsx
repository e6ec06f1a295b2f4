// One pattern: its evidence, what was said of it, and how it came to be so sure.

import { call } from "../../api";
import { Outcome, useDoing } from "../../doing";
import { percent } from "../../format";
import { useLoad } from "../../load";
import { address } from "../../route";
import { Stored, Words } from "../../stored";
import { Badge, Page, Panel, Show, When } from "../../ui";
import type { Rating, TaskPattern } from "../../verbs";
import { Indicators, Support, toneOf } from "./card";
import { Evolution } from "./evolution";
import { FeedbackForm } from "./feedback";
import { RangeBar } from "./range";

export function PatternView(props: { id: string }) {
  const { id } = props;
  const loaded = useLoad(
    async (signal) => {
      const [pattern, ratings, versions] = await Promise.all([
        call("patterns.get", { id }, signal),
        call("patterns.ratings", { pattern_id: id }, signal),
        call("patterns.evolution", { pattern_id: id }, signal),
      ]);
      return { pattern, ratings: ratings.ratings, versions: versions.versions };
    },
    [id],
  );
  const doing = useDoing();
  return (
    <Page
      title="Pattern"
      about="What it rests on, what was said of it, and how it changed."
      tools={<a href={address("patterns")}>← All patterns</a>}
    >
      <Show of={loaded}>
        {({ pattern, ratings, versions }) => (
          <div class="stack">
            <About pattern={pattern} />
            <div class="columns">
              <Panel title="Did it help?">
                <Outcome of={doing} />
                <FeedbackForm
                  doing={doing}
                  rate={(helpful, note) =>
                    doing.run(async () => {
                      const rated = await call("patterns.feedback", { pattern_id: id, helpful, note });
                      loaded.reload();
                      const now = rated.retired_at
                        ? "it is retired"
                        : `confidence ${percent(rated.confidence_score)}`;
                      return `Kept as ${helpful ? "helpful" : "not helpful"}: ${now}.`;
                    })
                  }
                />
                <Ratings of={ratings} />
              </Panel>
              <Panel title="How it changed">
                <Evolution pattern={pattern} versions={versions} />
              </Panel>
              <Examples pattern={pattern} />
            </div>
          </div>
        )}
      </Show>
    </Page>
  );
}

function About(props: { pattern: TaskPattern }) {
  const { pattern } = props;
  return (
    <article class={`card ${toneOf(pattern)}`}>
      <div class="card-head">
        <strong>
          <Words text={pattern.description} />
        </strong>
        <Badge>{pattern.pattern_type}</Badge>
        {pattern.retired_at && <Badge>retired</Badge>}
      </div>
      <RangeBar pattern={pattern} />
      <p class="meta">
        <Support pattern={pattern} />
        {pattern.task_type_pattern && (
          <span>
            for tasks that match <Stored text={pattern.task_type_pattern} most={120} />
          </span>
        )}
        <span>
          learned <When at={pattern.created_at} />
        </span>
        {pattern.user_id && (
          <span>
            of <Stored text={pattern.user_id} most={60} />
          </span>
        )}
      </p>
      <Indicators of={pattern} />
    </article>
  );
}

function Ratings(props: { of: Rating[] }) {
  if (!props.of.length) return <p class="quiet">Nobody has said so far.</p>;
  return (
    <ul class="ratings">
      {props.of.toReversed().map((one, place) => (
        <li key={props.of.length - place}>
          <span aria-hidden="true">{one.helpful === null ? "±" : one.helpful ? "✓" : "✗"}</span>{" "}
          {one.helpful === null ? "moved by hand" : one.helpful ? "helpful" : "not helpful"}
          {one.adjustment !== 0 && ` (${one.adjustment > 0 ? "+" : "−"}${percent(Math.abs(one.adjustment))})`}
          ,{" "}
          <span class="quiet">
            <When at={one.at} />
          </span>
          {one.note && <Words text={one.note} />}
        </li>
      ))}
    </ul>
  );
}

function Examples(props: { pattern: TaskPattern }) {
  const { examples } = props.pattern;
  const tasks = useLoad(
    (signal) =>
      Promise.all(
        examples.map(async (id) => {
          const { executions } = await call("experience.list", { task_id: id, limit: 1 }, signal);
          return { id, execution: executions[0] };
        }),
      ),
    [examples.join("\n")],
  );
  return (
    <Panel title="Examples">
      <Show of={tasks}>
        {(found) => (
          <ul class="stack">
            {found.map(({ id, execution }) => (
              <li key={id}>
                <a href={address("work", `task:${id}`)}>
                  <Stored text={execution?.description ?? id} most={160} />
                </a>
                {execution && <Words text={execution.summary} most={200} />}
                {!execution && <p class="quiet">It was removed since.</p>}
              </li>
            ))}
            {!found.length && <li class="quiet">It names no task.</li>}
          </ul>
        )}
      </Show>
    </Panel>
  );
}
