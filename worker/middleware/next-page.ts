import type { Context } from "hono";

/** Adds a `Link` header with the next page of a list, if there is one; relative, so that it works with any host. */
export function linkNextPage(c: Context, next: number | null): void {
  if (next === null) return;
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("cursor", String(next));
  c.header("Link", `<${pathname}?${searchParams}>; rel="next"`);
}
