import { useTranslation } from "react-i18next";
import { ApiError } from "../../lib/api";
import { Dialog } from "./dialog";
import { ErrorState } from "./error-state";
import { QueryError, type RetryableQuery } from "./query-error";
import { Skeleton, SkeletonGroup } from "./skeleton";

type LoadingDialogProps = {
  title: string;
  query: RetryableQuery;
  failedTitle: string;
  /** Shown if the entry does not exist, or belongs to another user. */
  missing: { title: string; text: string };
  onClose: () => void;
};

/** A form's dialog while its initial values are loading, or if that failed. */
export function LoadingDialog({ title, query, failedTitle, missing, onClose }: LoadingDialogProps) {
  const { t } = useTranslation(["common", "errors", "validation"]);
  const { error } = query;
  return (
    <Dialog open onClose={onClose} title={title}>
      {!error ? (
        <SkeletonGroup label={t("loading")} className="space-y-4">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </SkeletonGroup>
      ) : error instanceof ApiError && error.status === 404 ? (
        <ErrorState {...missing} />
      ) : (
        <QueryError title={failedTitle} query={query} />
      )}
    </Dialog>
  );
}
