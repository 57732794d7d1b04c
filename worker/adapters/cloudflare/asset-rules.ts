import { NOINDEX, pageHeaders } from "../../lib/security-headers";
import { APP_PAGES, LINK_PAGES } from "../../lib/site-paths";

/** Files that Cloudflare reads beside the static assets, and applies without waking the Worker. */
export type AssetRules = { _headers: string; _redirects: string };

/** The headers and the rewrites of the pages, in Cloudflare's own notation. */
export function assetRules(options: { https: boolean; scriptHashes: readonly string[] }): AssetRules {
  const headers = [
    rule("/*", Object.entries(pageHeaders(options))),
    ...Object.keys(LINK_PAGES).map((name) => rule(`/${name}/*`, Object.entries(NOINDEX))),
    rule("/assets/*", [["Cache-Control", "public, max-age=31536000, immutable"]]),
  ];
  const rewrites = [
    ...APP_PAGES.map((path) => `${path} / 200`),
    ...Object.entries(LINK_PAGES).map(([name, page]) => `/${name}/* ${page} 200`),
  ];
  return { _headers: `${headers.join("\n")}\n`, _redirects: `${rewrites.join("\n")}\n` };
}

/** A header that is set here takes the place of one that was set before, rather than joining it. */
function rule(path: string, headers: [string, string][]): string {
  const lines = headers.flatMap(([name, value]) => [`  ! ${name}`, `  ${name}: ${value}`]);
  return [path, ...lines].join("\n");
}
