import { useEffect, useState } from "react";
import { focusContent } from "../../lib/focus";

/**
 * Returns the focus to the opener when the dialog around it closes. Headless UI does so too, but not if the
 * dialog's code was loaded after the click, if the URL opened it, or if it is over another dialog.
 */
export function RestoreFocus({ nested = false }: { nested?: boolean }) {
  const [opener] = useState(() => document.activeElement);
  const [neighbour] = useState(() => {
    const entry = opener?.closest("tr, li");
    return entry?.nextElementSibling ?? entry?.previousElementSibling;
  });
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body && !nested) return;
        if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
          opener.focus({ preventScroll: true });
        // After a deletion, people continue with the next entry of the list.
        else if (neighbour?.isConnected) neighbour.querySelector<HTMLElement>("a, button")?.focus();
        focusContent();
      });
    },
    [opener, neighbour, nested],
  );
  return null;
}
