import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { ListPage } from "./api";

/** All rows of a list. While the query has no data yet, the pages read so far are shown. */
export async function readAllPages<Row>(
  client: QueryClient,
  queryKey: QueryKey,
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
): Promise<Row[]> {
  const isFirstRead = client.getQueryData(queryKey) === undefined;
  const all: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await readPage(cursor);
    all.push(...rows);
    if (next === undefined) return all;
    if (isFirstRead) client.setQueryData(queryKey, [...all]);
    cursor = next;
  }
}
