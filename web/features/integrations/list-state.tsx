import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QueryError } from "../../components/ui/query-error";
import { Skeleton, SkeletonGroup } from "../../components/ui/skeleton";
import { EmptyNote } from "./connection-section";

type ListStateProps<Row> = {
  query: UseQueryResult<Row[]>;
  /** Shown if the list is empty. */
  empty: string;
  failed: string;
  children: (rows: Row[]) => ReactNode;
};

/** A list in its states: loading, failed, empty, or its rows. */
export function ListState<Row>({ query, empty, failed, children }: ListStateProps<Row>) {
  const { t } = useTranslation(["common", "errors"]);
  const { data } = query;
  if (!data && query.error) return <QueryError title={failed} query={query} />;
  if (!data)
    return (
      <SkeletonGroup label={t("common:loading")} className="space-y-2">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </SkeletonGroup>
    );
  return data.length === 0 ? <EmptyNote>{empty}</EmptyNote> : children(data);
}
