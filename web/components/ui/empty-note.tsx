import type { ReactNode } from "react";

/** Says that a list is empty. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="rounded-card bg-paper px-6 py-8 text-center text-ink-soft">{children}</p>;
}
