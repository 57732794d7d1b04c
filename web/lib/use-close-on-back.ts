import { useBlocker } from "@tanstack/react-router";

/** The back button closes a dialog that has no address of its own, and leaves the page where it is. */
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
