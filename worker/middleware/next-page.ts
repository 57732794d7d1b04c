import type { Context } from "hono";

/** Tells in a `Link` header where the next page of a list is, if there is one; relative, whatever the host. */
export function linkNextPage(c: Context, next: number | null): void {
  if (next === null) return;
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.set("cursor", String(next));
  c.header("Link", `<${pathname}?${searchParams}>; rel="next"`);
}
