import { useLayoutEffect, useState } from "react";

/** The height of a toast of two lines. */
const ROOM = 112;

/** How high above the bottom of the window a toast stands, so that it covers no button of an open dialog. */
export function useToastBottom(shown: boolean): number {
  const [bottom, setBottom] = useState(0);
  useLayoutEffect(() => {
    if (!shown) return;
    const update = () => setBottom(freeBottom());
    update();
    // A dialog may open or close, or its footer grow, while the toast is shown.
    const observer = new MutationObserver(update);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("resize", update);
    return () => {
      observer.disconnect();
      removeEventListener("resize", update);
    };
  }, [shown]);
  return bottom;
}

function freeBottom(): number {
  const footer = [...document.querySelectorAll("[data-dialog-footer]")].at(-1)?.getBoundingClientRect();
  if (!footer || innerHeight - footer.bottom >= ROOM) return 0;
  return Math.max(0, innerHeight - footer.top);
}
