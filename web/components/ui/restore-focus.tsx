import { useEffect, useState } from "react";
import { focusContent } from "../../lib/focus";

/**
 * Returns the focus to the opener when the dialog around it closes. Headless UI does so too, but not if the
 * dialog's code was loaded after the click, if the URL opened it, or if it is over another dialog.
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
