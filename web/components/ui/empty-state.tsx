import { LogoMark } from "./logo";

type EmptyStateProps = { title: string; text: string };

/** Says what this place is for. The action that fills it stands in the page's header, and only there; so does the heading. */
export function EmptyState({ title, text }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card border border-line-strong border-dashed bg-paper px-6 py-16 text-center">
      <LogoMark className="mb-5 size-14" />
      <p className="font-semibold text-lg">{title}</p>
      <p className="mt-1 max-w-sm text-ink-soft">{text}</p>
    </div>
  );
}
