import { Children, type ReactNode } from "react";

/**
 * The children, each text in an element. A browser's translator replaces text nodes, and React fails when it removes one,
 * or inserts an element before it.
 */
export function WrappedTexts({ children }: { children: ReactNode }) {
  return Children.map(children, (child) =>
    typeof child === "string" || typeof child === "number" ? <span>{child}</span> : child,
  );
}
