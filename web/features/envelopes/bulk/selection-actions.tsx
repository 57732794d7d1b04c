import { lazy, Suspense, useState } from "react";
import type { Envelope } from "../envelopes.queries";
import type { BulkAction } from "./bulk-actions";
import { BulkBar } from "./bulk-bar";

const BulkDialog = lazy(() => import("./bulk-dialog"));

type SelectionActionsProps = { selected: readonly Envelope[]; onClear: () => void };

/** The bar with the actions for the selected rows, and the dialog of the chosen action. */
export function SelectionActions({ selected, onClear }: SelectionActionsProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  return (
    <>
      <BulkBar count={selected.length} onAction={setAction} onClear={onClear} />
      {action && (
        <Suspense>
          <BulkDialog
            action={action}
            envelopes={selected}
            onClose={() => setAction(null)}
            onDone={() => {
              setAction(null);
              onClear();
              // The bulk bar was removed.
              requestAnimationFrame(() => document.getElementById("content")?.focus());
            }}
          />
        </Suspense>
      )}
    </>
  );
}
