import { useEffect, useState } from "react";
import { focusContent } from "../../lib/focus-content";

/**
 * Inside a dialog: when it closes, the focus goes back to what opened it. The dialog sees to that itself, but
 * not where its code came after the click, where the address opened it, or over another dialog.
 */
export function RestoreFocus({ nested = false }: { nested?: boolean }) {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body && !nested) return;
        if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
          opener.focus({ preventScroll: true });
        else focusContent();
      });
    },
    [opener, nested],
  );
  return null;
}
