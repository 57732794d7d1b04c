import { useTranslation } from "react-i18next";
import { errorText } from "../../lib/error-text";
import { ErrorState } from "./error-state";

/** A query that can be tried again after it failed. */
export type RetryableQuery = { error: Error | null; isFetching: boolean; refetch: () => unknown };

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
