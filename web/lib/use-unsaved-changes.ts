import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

/** Asks before unsaved input is lost: by closing, the back button, a link, or closing the tab. */
export function useUnsavedChanges(dirty: boolean) {
  const saved = useRef(false);
  const shouldBlock = () => dirty && !saved.current;
  const blocker = useBlocker({
    shouldBlockFn: shouldBlock,
    enableBeforeUnload: shouldBlock,
    withResolver: true,
  });
  return {
    confirming: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
    /** Stops asking: the input was saved. */
    release: () => {
      saved.current = true;
    },
  };
}
