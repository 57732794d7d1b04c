import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { ListPage } from "./api";

type Pages<Row> = InfiniteData<ListPage<Row>>;
// Outside of the options: another function would select, and compare, all rows again at each render.
const rowsOf = <Row>({ pages }: Pages<Row>): Row[] => pages.flatMap(({ rows }) => rows);
const rowsById = <Row extends { id: number }>(data: Pages<Row>): Row[] => [
  ...new Map(rowsOf(data).map((row) => [row.id, row])).values(),
];

/** The options of an infinite query whose data are the rows of the pages read so far, loaded each time it is shown. */
export const pagedRows = <Row>(readPage: (cursor: string | undefined) => Promise<ListPage<Row>>) => ({
  staleTime: 0,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => readPage(pageParam),
  getNextPageParam: ({ next }: ListPage<Row>) => next,
  select: rowsOf<Row>,
});

/** The same of a list with rows that have an id: a row that moved while pages were read is in two of them, and shown once. */
export const pagedList = <Row extends { id: number }>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
) => ({
  ...pagedRows(readPage),
  staleTime: Number.POSITIVE_INFINITY,
  select: rowsById<Row>,
});

type PagedQuery = {
  data: unknown;
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/**
 * Loads the next page; undefined if there is none, or while it cannot: a page read meanwhile would cancel a refresh. Another
 * function for other rows, since on a busy device they may come before a render with `isFetching`.
 */
export function useMore({ data, hasNextPage, isFetching, isError, fetchNextPage }: PagedQuery) {
  const canRead = hasNextPage && !isFetching && !isError;
  return useMemo(() => (data && canRead ? () => fetchNextPage() : undefined), [data, canRead, fetchNextPage]);
}

/** Loads all pages of a list, for what cannot ask the server for a part of it. */
export function useAllPages(query: PagedQuery): void {
  const more = useMore(query);
  useEffect(() => void more?.(), [more]);
}
