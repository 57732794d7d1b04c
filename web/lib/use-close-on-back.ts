import { useBlocker } from "@tanstack/react-router";
import type { RefObject } from "react";

/** Makes the back button close a dialog that has no URL, instead of leaving the page. */
export function useCloseOnBack(open: boolean, onClose: () => void): void {
  useBlocker({
    disabled: !open,
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== "BACK") return false;
      onClose();
      return true;
    },
  });
}

/** Makes nothing leave a dialog but its button: the back button and links move the focus there, a reload asks. */
export function useKeepOpen(button: RefObject<HTMLElement | null>): void {
  useBlocker({
    shouldBlockFn: () => {
      button.current?.focus();
      return true;
    },
  });
}
