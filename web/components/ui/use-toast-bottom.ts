import { useLayoutEffect, useState } from "react";

/** The height of a toast of two lines. */
const TOAST_HEIGHT = 112;

/** The distance of a toast from the bottom of the window, at which it covers no button of an open dialog. */
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
  if (!footer || innerHeight - footer.bottom >= TOAST_HEIGHT) return 0;
  return Math.max(0, innerHeight - footer.top);
}
