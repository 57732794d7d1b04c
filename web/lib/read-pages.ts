import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { ListPage } from "./api";

/** Replaces the rows that changed after `requestedAt`, when their page was requested. */
type Renew<Row> = (rows: Row[], requestedAt: number) => Row[];

/**
 * All rows of a list. While the query has no data yet, the pages read so far are shown. `renew` replaces the rows that
 * have changed here since their page was requested.
 */
export async function readAllPages<Row>(
  client: QueryClient,
  queryKey: QueryKey,
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
  renew: Renew<Row> = (rows) => rows,
): Promise<Row[]> {
  const isFirstRead = client.getQueryData(queryKey) === undefined;
  const pages: { rows: Row[]; requestedAt: number }[] = [];
  const all = () => pages.flatMap(({ rows, requestedAt }) => renew(rows, requestedAt));
  for (let cursor: string | undefined; ; ) {
    const requestedAt = Date.now();
    const { rows, next } = await readPage(cursor);
    pages.push({ rows, requestedAt });
    if (next === undefined) return all();
    if (isFirstRead) client.setQueryData(queryKey, all());
    cursor = next;
  }
}

/** The options of an infinite query whose data are the rows of the pages read so far, loaded each time it is shown. */
export const pagedRows = <Row>(readPage: (cursor: string | undefined) => Promise<ListPage<Row>>) => ({
  staleTime: 0,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => readPage(pageParam),
  getNextPageParam: ({ next }: ListPage<Row>) => next,
  select: ({ pages }: InfiniteData<ListPage<Row>>) => pages.flatMap(({ rows }) => rows),
});
