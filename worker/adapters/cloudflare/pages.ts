import type { Fetcher } from "@cloudflare/workers-types";
import { isAppPage } from "../../contract/pages";
import { pageHeaders, plainResponses } from "../../lib/security-headers";
import { LOOKS_LIKE_A_FILE } from "../../lib/site-paths";

/**
 * Answers a path that is neither a route of the app nor a static asset with 404, and with the app's page unless the
 * path looks like a file.
 */
export async function unknownPath(assets: Fetcher, request: Request, https: boolean): Promise<Response> {
  const url = new URL(request.url);
  const plain = plainResponses(pageHeaders({ https, scriptHashes: [] }));
  if (request.method !== "GET" && request.method !== "HEAD")
    return plain(405, "Method not allowed", { Allow: "GET, HEAD" });
  if (LOOKS_LIKE_A_FILE.test(url.pathname)) return plain(404, "Not found");
  const page = await assets.fetch(new URL("/", url).href, { method: request.method });
  // Cloudflare's response type and the standard one are the same under two names.
  const { body, headers } = page as unknown as Response;
  return new Response(body, { status: isAppPage(url.pathname) ? 200 : 404, headers });
}
