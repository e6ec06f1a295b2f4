// Following events: as long as somebody looks, and again when the server is back.

import { useEffect, useRef, useState } from "preact/hooks";
import { follow, Refused } from "../../api";
import { apiKey } from "../../state";
import type { Event } from "../../verbs";

const KEPT = 200;
const AGAIN_MS = 2_000;

export interface Followed {
  events: Event[];
  state: "connecting" | "live" | "away";
  error: Refused | null;
  paused: boolean;
  /** How many came since it was paused. */
  held: number;
  pause: () => void;
  again: () => void;
}

export function useEvents(): Followed {
  const [events, setEvents] = useState<Event[]>([]);
  const [state, setState] = useState<Followed["state"]>("connecting");
  const [error, setError] = useState<Refused | null>(null);
  const [shown, setShown] = useState<Event[] | null>(null); // as it was when it was paused
  const [held, setHeld] = useState(0);
  const [turn, setTurn] = useState(0);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const tell = (event: Event) => {
      last.current = event.id;
      setEvents((before) => [event, ...before].slice(0, KEPT));
      setHeld((before) => before + 1);
    };
    const opened = () => {
      setError(null);
      setState("live");
    };
    const run = async () => {
      while (!control.signal.aborted) {
        try {
          await follow(tell, control.signal, { after: last.current, opened });
        } catch (refused) {
          if (control.signal.aborted) return;
          if (refused instanceof Refused && (refused.status === 401 || refused.status === 403)) {
            setState("away");
            setError(refused);
            return; // the same key will not open it the next time either
          }
        }
        if (control.signal.aborted) return;
        setState("away");
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    setState("connecting");
    run();
    return () => control.abort();
  }, [apiKey.value, turn]);
  const pause = () => {
    setShown(shown ? null : events);
    setHeld(0);
  };
  return {
    events: shown ?? events,
    state,
    error,
    paused: shown !== null,
    held: shown ? held : 0,
    pause,
    again: () => setTurn(turn + 1),
  };
}
