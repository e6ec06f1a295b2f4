// Changing something: what came of it is said where it was asked for.

import { useState } from "preact/hooks";
import { Failure } from "./ui";

export interface Doing {
  busy: boolean;
  error: Error | null;
  /** What was done last, in words. */
  done: string | null;
  /** Do something that says in the end what was done. */
  run: (job: () => Promise<string>) => void;
}

export function useDoing(): Doing {
  const [state, setState] = useState<Omit<Doing, "run">>({ busy: false, error: null, done: null });
  const run = (job: () => Promise<string>) => {
    setState({ busy: true, error: null, done: null });
    job().then(
      (done) => setState({ busy: false, error: null, done }),
      (error: unknown) =>
        setState({
          busy: false,
          error: error instanceof Error ? error : new Error(String(error)),
          done: null,
        }),
    );
  };
  return { ...state, run };
}

/** What was done, or why it was not. It is always there, so that screen readers notice what it comes to say. */
export function Outcome(props: { of: Doing }) {
  return (
    <>
      <p class="outcome" role="status">
        {props.of.done && <span>✓ {props.of.done}</span>}
      </p>
      {props.of.error && <Failure error={props.of.error} />}
    </>
  );
}
