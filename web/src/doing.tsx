// Changing something: what came of it is said where it was asked for.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./ui";

export interface Doing {
  busy: boolean;
  error: Error | null;
  /** What was done last, in words. */
  done: ComponentChildren;
  /** Do something that says in the end what was done, if that cannot be seen. */
  run: (job: () => Promise<ComponentChildren>) => void;
  /** Say no more of it, as when it is given up. */
  quit: () => void;
}

const NOTHING = { busy: false, error: null, done: null };

export function useDoing(): Doing {
  const [state, setState] = useState<Omit<Doing, "run" | "quit">>(NOTHING);
  // A button that is disabled meanwhile would lose the focus: so it stays, and does nothing twice.
  const running = useRef(false);
  const run = (job: () => Promise<ComponentChildren>) => {
    if (running.current) return;
    running.current = true;
    setState({ ...NOTHING, busy: true });
    job()
      .then(
        (done) => setState({ ...NOTHING, done }),
        (error: unknown) =>
          setState({ ...NOTHING, error: error instanceof Error ? error : new Error(String(error)) }),
      )
      .finally(() => {
        running.current = false;
      });
  };
  return { ...state, run, quit: () => setState(NOTHING) };
}

/** What was done, or why it was not.
 *
 * Where that takes away what was focused, such as a form that is done with, it is focused instead.
 */
export function Outcome(props: { of: Doing; focus?: boolean }) {
  return (
    <>
      <Done focus={props.focus ?? false}>{props.of.done}</Done>
      {props.of.error && <Failure error={props.of.error} />}
    </>
  );
}

/** That something was done. It is always there, so that screen readers notice what it comes to say. */
export function Done(props: { focus?: boolean; children: ComponentChildren }) {
  const { children, focus } = props;
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (children && focus) said.current?.focus();
  }, [children, focus]);
  return (
    <p ref={said} class="outcome" role="status" tabIndex={-1}>
      {children && <span>✓ {children}</span>}
    </p>
  );
}
