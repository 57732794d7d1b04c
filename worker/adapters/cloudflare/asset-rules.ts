import { APP_PAGES } from "../../contract/pages";
import { ASSET_POLICY, NOINDEX, pageHeaders, pdfjsPolicy, type Transport } from "../../lib/security-headers";
import { ASSET_FOLDERS, ASSETS_FOLDER, LINK_PAGES, PDFJS_FOLDER } from "../../lib/site-paths";

/** Files that Cloudflare reads next to the static assets and applies without running the Worker. */
export type AssetRules = { _headers: string; _redirects: string };

/** Their files have a hash of their content, or a version, in their path. */
const VERSIONED = [ASSETS_FOLDER, PDFJS_FOLDER];
const IMMUTABLE: [string, string][] = [["Cache-Control", "public, max-age=31536000, immutable"]];

/** The headers and rewrites of the pages in Cloudflare's syntax. */
export function assetRules(options: Transport & { scriptHashes: readonly string[] }): AssetRules {
  const headers = [
    rule("/*", Object.entries(pageHeaders(options))),
    ...Object.keys(LINK_PAGES).map((name) => rule(`/${name}/*`, Object.entries(NOINDEX))),
    // Cloudflare applies the rule of a path once, so all headers of a folder are in one rule.
    ...ASSET_FOLDERS.map((folder) =>
      rule(`${folder}*`, [
        ...Object.entries(folder === PDFJS_FOLDER ? pdfjsPolicy() : ASSET_POLICY),
        ...(VERSIONED.includes(folder) ? IMMUTABLE : []),
      ]),
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
