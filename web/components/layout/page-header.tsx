import type { ReactNode } from "react";

type PageHeaderProps = { title: string; text?: string; action?: ReactNode };

/** The one h1 of a page, a line on what this is, and the one action at the right. */
export function PageHeader({ title, text, action }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-2xl">{title}</h1>
        {text && <p className="mt-0.5 text-ink-soft">{text}</p>}
      </div>
      {action}
    </header>
  );
}
