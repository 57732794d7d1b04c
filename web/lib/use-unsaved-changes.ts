import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";

/** Asks before typed words are lost: by closing, by the back button, by a link, by closing the tab. */
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
    /** Nothing is lost any more. */
    release: () => {
      saved.current = true;
    },
  };
}
