// Keeping the focus: when what had it goes away, the content gets it, so that Tab goes on from there and not from the top.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const came = (event: FocusEvent) => {
      last = event.target;
    };
    const left = () => {
      last = null; // a click beside everything gives it up
    };
    const watch = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
      last = null;
      main.current?.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", came);
    document.addEventListener("pointerdown", left);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", came);
      document.removeEventListener("pointerdown", left);
      watch.disconnect();
    };
  }, [main]);
}
