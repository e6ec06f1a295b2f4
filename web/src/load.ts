// Loading what a page shows.

import { useCallback, useEffect, useState } from "preact/hooks";
import { Refused } from "./api";
import { alone, apiKey } from "./state";

const AGAIN_MS = 5_000; // after which a server that was away is asked again

export interface Loaded<T> {
  /** What was loaded last; it stays while the next is loaded, so that the page does not flicker. */
  value: T | undefined;
  error: Refused | undefined;
  loading: boolean;
  reload: () => void;
}

interface State<T> {
  value?: T;
  /** What the value depends on. */
  key?: string;
  error?: Refused;
  loading: boolean;
}

/** Load something, and again whenever what it depends on or the key changes; a load that is overtaken is given up. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  depends: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ loading: true });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([depends, apiKey.value, alone.value]);
  useEffect(() => {
    const control = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    load(control.signal).then(
      (value) => control.signal.aborted || setState({ value, key, loading: false }),
      (error: unknown) => {
        if (control.signal.aborted) return;
        const refused = error instanceof Refused ? error : new Refused(0, "bug", String(error));
        // What was read before stays while the server is away, but not what it refuses to show.
        const away = refused.status === 0 || refused.status >= 500;
        setState((before) => ({
          ...(away && before.key === key ? before : {}),
          error: refused,
          loading: false,
        }));
      },
    );
    return () => control.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    if (state.loading || state.error?.code !== "unreachable") return;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state, reload]);
  return { value: state.value, error: state.error, loading: state.loading, reload };
}

/** A value that follows another one once that has rested. */
export function useRested<T>(value: T, ms = 200): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
