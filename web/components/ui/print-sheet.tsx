import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";

/** What is printed instead of the page and its dialogs, however the person prints. Nothing on the screen. */
export function PrintSheet({ children }: { children: ReactNode }) {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.prints = "sheet";
    return () => {
      delete dataset.prints;
    };
  }, []);
  return createPortal(
    <div data-print-sheet aria-hidden className="hidden print:block">
      {children}
    </div>,
    document.body,
  );
}
