import { Button } from "./button";
import { lazyComponent } from "./lazy-component";

// Whoever has entries needs none.
const EmptyDrawing = lazyComponent(() => import("./empty-drawing"));

type EmptyStateProps = {
  title: string;
  /** What to do first; pressing it does so. */
  action: string;
  /** What will be there. */
  drawing: "envelopes" | "templates" | "contacts";
  /** False for who may not do that. */
  onAction: false | (() => void);
};

/** What a page shows while it has no entries. */
export function EmptyState({ title, action, onAction, drawing }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card bg-paper px-6 py-14 text-center">
      <svg viewBox="0 0 200 118" aria-hidden="true" className="mb-6 h-auto w-50 max-w-full">
        <EmptyDrawing of={drawing} />
      </svg>
      <p className="font-semibold text-lg">{title}</p>
      {onAction && (
        <Button
          className="mt-4 h-auto! min-h-9 touch:min-h-10 max-w-full shrink! whitespace-normal! py-1.5"
          onClick={onAction}
        >
          {action}
        </Button>
      )}
    </div>
  );
}
