import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ListPage } from "./api";

/** Replaces the rows that changed after `askedAt`, when their page was requested. */
type Renew<Row> = (rows: Row[], askedAt: number) => Row[];

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
  const pages: { rows: Row[]; askedAt: number }[] = [];
  const all = () => pages.flatMap(({ rows, askedAt }) => renew(rows, askedAt));
  for (let cursor: string | undefined; ; ) {
    const askedAt = Date.now();
    const { rows, next } = await readPage(cursor);
    pages.push({ rows, askedAt });
    if (next === undefined) return all();
    if (isFirstRead) client.setQueryData(queryKey, all());
    cursor = next;
  }
}
