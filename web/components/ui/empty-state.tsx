import { Button } from "./button";
import { LogoMark } from "./logo";

type EmptyStateProps = {
  title: string;
  /** What to do first; pressing it does so. */
  action: string;
  onAction: () => void;
};

/** What a page shows while it has no entries. */
export function EmptyState({ title, action, onAction }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card border border-line-strong border-dashed bg-paper px-6 py-16 text-center">
      <LogoMark className="mb-5 size-14" />
      <p className="font-semibold text-lg">{title}</p>
      <Button
        className="mt-4 h-auto! min-h-9 max-w-full shrink! whitespace-normal! py-1.5"
        onClick={onAction}
      >
        {action}
      </Button>
    </div>
  );
}
