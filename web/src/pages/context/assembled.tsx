// A context that was assembled: what it costs, what is in it, what is not, and the text.

import { useRef } from "preact/hooks";
import { Outcome, useDoing } from "../../doing";
import { count } from "../../format";
import { LeftOut, Panel } from "../../ui";
import type { Context } from "../../verbs";
import { Chosen } from "./chosen";
import { Dropped } from "./dropped";
import { Feedback } from "./feedback";
import { Spread } from "./spread";
import { copyable } from "./words";

export function Assembled(props: { of: Context; rated?: () => void; replayed?: boolean }) {
  const { of } = props;
  const entries = of.entries ?? [];
  const dropped = entries.filter((one) => one.fate === "dropped");
  return (
    <section class="stack" aria-label={props.replayed ? "Replayed context" : "Assembled context"}>
      <LeftOut degraded={of.degraded ?? []} />
      <Panel title={`${count(of.total_tokens)} of ${count(of.budget ?? 0)} tokens`}>
        <Spread entries={entries} total={of.total_tokens} budget={of.budget ?? 0} />
      </Panel>
      <Rendered of={of} />
      {of.id && props.rated && <Feedback id={of.id} rated={props.rated} />}
      <Panel title={`Chosen: ${count(of.chunks.length)}`}>
        <Chosen of={of.chunks} />
      </Panel>
      <Panel title={`Left out: ${count(dropped.length)}`}>
        <Dropped of={dropped} />
      </Panel>
    </section>
  );
}

function Rendered(props: { of: Context }) {
  const text = copyable(props.of);
  const doing = useDoing();
  const box = useRef<HTMLPreElement>(null);
  const copy = () =>
    doing.run(async () => {
      try {
        await navigator.clipboard.writeText(text);
        return "Copied.";
      } catch {
        // Without https a page may not write to the clipboard: the reader can.
        if (box.current) window.getSelection()?.selectAllChildren(box.current);
        return "Selected, to be copied with Ctrl+C: this browser does not let the page do it.";
      }
    });

  return (
    <Panel title="As the model gets it">
      {text ? (
        <>
          <pre ref={box} class="rendered" dir="auto">
            {text}
          </pre>
          <div class="row">
            <button type="button" onClick={copy}>
              Copy
            </button>
          </div>
          <Outcome of={doing} />
        </>
      ) : (
        <p class="quiet">
          Nothing that is remembered has to do with this task, or nothing fits into the budget. What was
          considered is below.
        </p>
      )}
    </Panel>
  );
}
