import type { Context } from "hono";

/** The rows of a page, whose next one, if there is one, `linkNextPage` adds to the response. */
export function rowsOf<Row>(
  c: Context,
  { rows, next }: { rows: Row[]; next: number | string | null },
): Row[] {
  linkNextPage(c, next);
  return rows;
}

/** Adds a `Link` header with the next page of a list, if there is one; relative, so that it works with any host. */
export function linkNextPage(c: Context, next: number | string | null): void {
  if (next === null) return;
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("cursor", String(next));
  c.header("Link", `<${pathname}?${searchParams}>; rel="next"`);
}

/** Adds the counts, if there are any, as a header: `all=12, waiting=3, …`. */
export function setCounts(c: Context, header: string, counts: Record<string, number> | undefined): void {
  if (!counts) return;
  const texts = Object.entries(counts).map(([name, count]) => `${name}=${count}`);
  c.header(header, texts.join(", "));
}
