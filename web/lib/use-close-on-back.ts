import { useBlocker } from "@tanstack/react-router";
import { type RefObject, useEffect, useId } from "react";

/** The open dialogs that the back button closes, the uppermost last. */
const openDialogs: string[] = [];

/** Makes the back button close a dialog that has no URL, instead of leaving the page or closing a dialog below it. */
export function useCloseOnBack(open: boolean, onClose: () => void): void {
  const id = useId();
  useEffect(() => {
    if (!open) return;
    openDialogs.push(id);
    return () => void openDialogs.splice(openDialogs.indexOf(id), 1);
  }, [open, id]);
  useBlocker({
    disabled: !open,
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== "BACK" || openDialogs.at(-1) !== id) return false;
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
