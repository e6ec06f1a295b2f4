// Changing something: what came of it is said where it was asked for.

import { useEffect, useRef, useState } from "preact/hooks";
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
  // A button that is disabled meanwhile would lose the focus: so it stays, and does nothing twice.
  const running = useRef(false);
  const run = (job: () => Promise<string>) => {
    if (running.current) return;
    running.current = true;
    setState({ busy: true, error: null, done: null });
    job()
      .then(
        (done) => setState({ busy: false, error: null, done }),
        (error: unknown) =>
          setState({
            busy: false,
            error: error instanceof Error ? error : new Error(String(error)),
            done: null,
          }),
      )
      .finally(() => {
        running.current = false;
      });
  };
  return { ...state, run };
}

/** What was done, or why it was not. It is always there, so that screen readers notice what it comes to say.
 *
 * Where that takes away what was focused, such as a form that is done with, it is focused instead.
 */
export function Outcome(props: { of: Doing; focus?: boolean }) {
  const { done, error } = props.of;
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done && props.focus) said.current?.focus();
  }, [done, props.focus]);
  return (
    <>
      <p ref={said} class="outcome" role="status" tabIndex={-1}>
        {done && <span>✓ {done}</span>}
      </p>
      {error && <Failure error={error} />}
    </>
  );
}
