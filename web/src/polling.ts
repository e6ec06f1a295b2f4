// Looking again, gently.

import { useEffect, useRef } from "preact/hooks";
import type { Loaded } from "./load";

/** Load again every few seconds while somebody looks; never before the last answer is there, which would be lost. */
export function usePolling(loaded: Loaded<unknown>, ms = 5_000): void {
  const latest = useRef(loaded);
  latest.current = loaded;
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible" && !latest.current.loading) latest.current.reload();
    };
    const timer = setInterval(look, ms);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [ms]);
}
