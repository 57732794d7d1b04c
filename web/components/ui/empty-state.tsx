import { Button } from "./button";
import { type Drawing, EmptyDrawing } from "./empty-drawing";

type EmptyStateProps = {
  title: string;
  /** What to do first; pressing it does so. */
  action: string;
  /** What will be there. */
  drawing: Drawing;
  /** False for who may not do that. */
  onAction: false | (() => void);
};

/** What a page shows while it has no entries. */
export function EmptyState({ title, action, onAction, drawing }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card bg-paper px-6 py-14 text-center">
      <EmptyDrawing of={drawing} className="mb-6 w-50" />
      <p className="font-semibold text-lg">{title}</p>
      {onAction && (
        <Button
          className="mt-4 h-auto! min-h-9 max-w-full shrink! whitespace-normal! py-1.5"
          onClick={onAction}
        >
          {action}
        </Button>
      )}
    </div>
  );
}
