import type { Transport } from "../../lib/security-headers";
import { ASSET_POLICY, NOINDEX, pageHeaders } from "../../lib/security-headers";
import { APP_PAGES, ASSET_FOLDERS, LINK_PAGES } from "../../lib/site-paths";

/** Files that Cloudflare reads next to the static assets and applies without running the Worker. */
export type AssetRules = { _headers: string; _redirects: string };

/** The files in it have a hash of their content in their name. */
const HASHED = "/assets/";
const IMMUTABLE: [string, string][] = [["Cache-Control", "public, max-age=31536000, immutable"]];

/** The headers and rewrites of the pages in Cloudflare's syntax. */
export function assetRules(options: Transport & { scriptHashes: readonly string[] }): AssetRules {
  const headers = [
    rule("/*", Object.entries(pageHeaders(options))),
    ...Object.keys(LINK_PAGES).map((name) => rule(`/${name}/*`, Object.entries(NOINDEX))),
    // Cloudflare takes one rule for a path: what holds for a folder stands together.
    ...ASSET_FOLDERS.map((folder) =>
      rule(`${folder}*`, [...Object.entries(ASSET_POLICY), ...(folder === HASHED ? IMMUTABLE : [])]),
    ),
  ];
  const rewrites = [
    ...APP_PAGES.map((path) => `${path} / 200`),
    ...Object.entries(LINK_PAGES).map(([name, page]) => `/${name}/* ${page} 200`),
  ];
  return { _headers: `${headers.join("\n")}\n`, _redirects: `${rewrites.join("\n")}\n` };
}

/** Replaces a header that an earlier rule has set, instead of appending to it. */
function rule(path: string, headers: [string, string][]): string {
  const lines = headers.flatMap(([name, value]) => [`  ! ${name}`, `  ${name}: ${value}`]);
  return [path, ...lines].join("\n");
}
