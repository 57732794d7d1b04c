import type { ReactNode } from "react";

type ConnectionSectionProps = {
  id: string;
  title: string;
  text: ReactNode;
  action: ReactNode;
  children: ReactNode;
};

/** A section below the cards, with its purpose and its action. */
export function ConnectionSection({ id, title, text, action, children }: ConnectionSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-10 border-line border-t pt-8">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 max-w-2xl flex-1 basis-64">
          <h2 id={`${id}-title`} className="text-lg">
            {title}
          </h2>
          <p className="mt-1 text-ink-soft">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Says that a list is empty. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-card border border-line-strong border-dashed bg-paper px-6 py-8 text-center text-ink-soft">
      {children}
    </p>
  );
}
