import { RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { errorText } from "../../lib/error-text";
import { Button } from "./button";

/** A query that can be tried again after it failed. */
export type RetryableQuery = { error: Error | null; isFetching: boolean; refetch: () => unknown };

type QueryPlaceholderProps = {
  query: RetryableQuery;
  failed: string;
  /** How many rows are sketched while the query loads. */
  rows?: number;
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

type ErrorStateProps = {
  title: string;
  text: string;
  onRetry?: () => void;
  retryLabel?: string;
  retrying?: boolean;
};

/** Says that loading failed, and offers to try again. */
export function ErrorState({ title, text, onRetry, retryLabel, retrying }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="flex flex-col items-center rounded-card border border-line bg-surface px-6 py-14 text-center"
    >
      <TriangleAlert aria-hidden className="mb-4 size-8 text-bad" />
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1 max-w-md text-ink-soft">{text}</p>
      {onRetry && (
        <Button className="mt-6" onClick={onRetry} loading={retrying ?? false}>
          {!retrying && <RotateCw aria-hidden />}
          {retryLabel ?? t("tryAgain")}
        </Button>
      )}
    </div>
  );
}

/** A placeholder for text. Put it inside `SkeletonGroup`, which announces it. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("shimmer block rounded-md bg-line", className)} />;
}

/** Wraps skeletons. It is shown after 150 ms and announced by its label. */
export function SkeletonGroup({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className={cx("delayed", className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

type MoreButtonProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
  className?: string;
};

/** Below a list that is read a page at a time: loads the next one, if there is one. */
export function MoreButton({ query, label, className }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button className={className} loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
      {label}
    </Button>
  );
}
