import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

/** Asks before typed words are lost: by closing, by the back button, by a link, by closing the tab. */
export function useLeaveGuard(dirty: boolean) {
  const saved = useRef(false);
  const guarded = () => dirty && !saved.current;
  const blocker = useBlocker({ shouldBlockFn: guarded, enableBeforeUnload: guarded, withResolver: true });
  return {
    asking: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
    /** Nothing is lost any more. */
    release: () => {
      saved.current = true;
    },
  };
}
