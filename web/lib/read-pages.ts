import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { ListPage } from "./api";

/** Replaces the rows that changed after `requestedAt`, when their page was requested. */
type Renew<Row> = (rows: Row[], requestedAt: number) => Row[];

/** Showing more rows takes longer than reading a page, so they are not shown for each page. */
const SHOW_MS = 1000;

/**
 * All rows of a list. While it is read for the first time, the first page is shown at once, and what else was read each
 * second. `renew` replaces the rows that have changed here since their page was requested.
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
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = () => {
    client.setQueryData(queryKey, all());
    shownAt = Date.now();
  };
  for (let cursor: string | undefined; ; ) {
    const requestedAt = Date.now();
    const { rows, next } = await readPage(cursor).catch((error: unknown) => {
      if (isFirstRead && pages.length > 0) show();
      throw error;
    });
    pages.push({ rows, requestedAt });
    if (next === undefined) return all();
    if (isFirstRead && Date.now() - shownAt >= SHOW_MS) show();
    if (isFirstRead && cursor === undefined) await untilIdle();
    cursor = next;
  }
}

/** Resolves once the first page is rendered, which reading further pages would delay. Safari has no idle callback. */
const untilIdle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: SHOW_MS });
    else setTimeout(resolve, SHOW_MS / 4);
  });

/** The options of an infinite query whose data are the rows of the pages read so far, loaded each time it is shown. */
export const pagedRows = <Row>(readPage: (cursor: string | undefined) => Promise<ListPage<Row>>) => ({
  staleTime: 0,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => readPage(pageParam),
  getNextPageParam: ({ next }: ListPage<Row>) => next,
  select: ({ pages }: InfiniteData<ListPage<Row>>) => pages.flatMap(({ rows }) => rows),
});
