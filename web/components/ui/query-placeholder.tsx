import { useTranslation } from "react-i18next";
import { errorText } from "../../lib/error-text";
import { ErrorState } from "./error-state";
import { Skeleton, SkeletonGroup } from "./skeleton";

/** A query that can be tried again after it failed. */
export type RetryableQuery = { error: Error | null; isFetching: boolean; refetch: () => unknown };

type QueryPlaceholderProps = {
  query: RetryableQuery;
  /** The title of the failure. */
  failed: string;
  /** How many rows are sketched while the query loads. */
  rows?: number;
  /** Their height. */
  rowClass: string;
  className?: string;
};

/** In place of data that is loading, or failed to load. */
export function QueryPlaceholder({
  query,
  failed,
  rows = 2,
  rowClass,
  className = "space-y-2",
}: QueryPlaceholderProps) {
  // The texts of a failure are loaded before it, since the network may be gone then.
  const { t } = useTranslation(["common", "errors", "validation"]);
  if (query.error) return <QueryError title={failed} query={query} />;
  return (
    <SkeletonGroup label={t("loading")} className={className}>
      {Array.from({ length: rows }, (_, index) => index + 1).map((row) => (
        <Skeleton key={row} className={rowClass} />
      ))}
    </SkeletonGroup>
  );
}

/** Says that a query failed and why, and offers to try again. */
export function QueryError({ title, query }: { title: string; query: RetryableQuery }) {
  const { i18n } = useTranslation(["common", "errors", "validation"]);
  return (
    <ErrorState
      title={title}
      text={errorText(query.error, i18n.t)}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}
