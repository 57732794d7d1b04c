import type { ReactNode } from "react";

type EmptyNoteProps = {
  children: ReactNode;
  /** A link to where an entry is made; false for who may not. */
  action?: ReactNode;
};

/** Says that a list is empty. */
export function EmptyNote({ children, action }: EmptyNoteProps) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card bg-paper px-6 py-8 text-center text-ink-soft">
      <p>{children}</p>
      {action}
    </div>
  );
}
