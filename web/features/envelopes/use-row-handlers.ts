import { useMemo } from "react";
import type { SelectionHandlers } from "./bulk/use-selection";
import type { RowHandlers } from "./envelope-row";
import type { Envelope } from "./envelopes.queries";
import { useRemind } from "./timeline.queries";
import { useCopyLink } from "./use-copy-link";

type Given = { onEdit: (envelope: Envelope) => void; onDelete: (envelope: Envelope) => void };

/** The handlers of the rows, as one stable object. `onEdit` and `onDelete` must be stable too. */
export function useRowHandlers({ onEdit, onDelete }: Given, selection: SelectionHandlers): RowHandlers {
  const { mutate: remind } = useRemind();
  const copy = useCopyLink();
  return useMemo(
    () => ({
      ...selection,
      onEdit,
      onDelete,
      onRemind: ({ id }) => remind(id),
      onCopyLink: ({ submissionToken }) => void copy(submissionToken),
    }),
    [selection, onEdit, onDelete, remind, copy],
  );
}
