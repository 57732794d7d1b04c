import type { ComponentProps } from "react";
import { ApiError } from "../../lib/api";
import { Dialog } from "./dialog";
import { ErrorState, QueryPlaceholder, type RetryableQuery } from "./query-placeholder";

type LoadingDialogProps = {
  title: string;
  query: RetryableQuery;
  failedTitle: string;
  /** Shown if the entry does not exist, or belongs to another user. */
  missing?: { title: string; text: string };
  width?: ComponentProps<typeof Dialog>["width"];
  onClose: () => void;
};

/** A form's dialog while its initial values are loading, or if that failed. */
export function LoadingDialog({ query, failedTitle, missing, ...dialog }: LoadingDialogProps) {
  const { error } = query;
  return (
    <Dialog {...dialog}>
      {missing && error instanceof ApiError && error.status === 404 ? (
        <ErrorState {...missing} />
      ) : (
        <QueryPlaceholder query={query} failed={failedTitle} rows={3} rowClass="h-9" className="space-y-4" />
      )}
    </Dialog>
  );
}
