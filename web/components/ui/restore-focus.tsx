import { useEffect, useState } from "react";
import { focusContent } from "../../lib/focus";

const DIALOG = "[role=dialog], [role=alertdialog]";

/** What a script can focus around an element, the innermost first: lists, sections, the dialog, the page's content. */
function placesAround(element: Element | null): HTMLElement[] {
  const place = element?.closest<HTMLElement>("[tabindex='-1']");
  return place ? [place, ...placesAround(place.parentElement)] : [];
}

/**
 * Returns the focus to the opener when the dialog around it closes. Headless UI does so too, but not if the
 * dialog's code was loaded after the click, if the URL opened it, or if it is over another dialog.
 */
export function RestoreFocus({ nested = false }: { nested?: boolean }) {
  const [opener] = useState(() => document.activeElement);
  const [places] = useState(() => placesAround(opener));
  const [neighbour] = useState(() => {
    const entry = opener?.closest("tr, li");
    return entry?.nextElementSibling ?? entry?.previousElementSibling;
  });
  useEffect(
    () => () => {
      setTimeout(() => {
        const { activeElement: active, body } = document;
        const place = places.find(({ isConnected }) => isConnected);
        // Without the opener, Headless UI goes to what had the focus before it, such as "Sign Out" in the navigation.
        const isStray =
          !opener?.isConnected &&
          !place?.contains(active) &&
          place?.closest(DIALOG) === active?.closest(DIALOG);
        if (active !== body && !nested && !isStray) return;
        if (opener instanceof HTMLElement && opener.isConnected && opener !== body)
          opener.focus({ preventScroll: true });
        // After a deletion, people continue with the next entry of the list.
        else if (neighbour?.isConnected) neighbour.querySelector<HTMLElement>("a, button")?.focus();
        else if (isStray) place?.focus({ preventScroll: true });
        focusContent();
      });
    },
    [opener, places, neighbour, nested],
  );
  return null;
}
