import { useBlocker } from "@tanstack/react-router";

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
