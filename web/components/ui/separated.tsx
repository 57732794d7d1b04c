import { Children, type ReactNode } from "react";

/**
 * Short texts in a line, divided by dots. A dot that would begin a line lies in the margin at the left, which is cut off,
 * so no line begins or ends with one.
 */
export function Separated({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children).filter((part) => part !== "");
  return (
    <span className="block overflow-hidden">
      <span className="-ml-3 flex flex-wrap">
        {Children.map(parts, (part, index) => (
          <span className="flex min-w-0">
            <span aria-hidden className="pointer-events-none w-3 shrink-0 whitespace-pre text-center">
              {index > 0 && " · "}
            </span>
            <span className="min-w-0">{part}</span>
          </span>
        ))}
      </span>
    </span>
  );
}
