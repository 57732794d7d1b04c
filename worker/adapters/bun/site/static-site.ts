import type { Transport } from "../../../lib/security-headers";
import { ASSET_POLICY, NOINDEX, PDFJS_POLICY, pageHeaders } from "../../../lib/security-headers";
import {
  ASSET_FOLDERS,
  AUTH_PAGE,
  isAppPage,
  LINK_PAGES,
  LOOKS_LIKE_A_FILE,
  PDFJS_FOLDER,
} from "../../../lib/site-paths";
import type { Encoding, StaticFile, StaticFiles } from "./static-files";

const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";
/** Files with a hash of their content, or a version, in their path. */
const VERSIONED = /^\/assets\/.+-[a-z0-9]{8,}\.\w+$|^\/pdfjs\//;

export type StaticSite = (request: Request) => Response;

/**
 * Serves the web app: its files, the pages for visitors and recipients, and the app's page for any other path, with
 * status 404 if the browser's router has no such route.
 */
export function createStaticSite(site: StaticFiles, options: Transport): StaticSite {
  const common = pageHeaders({ ...options, scriptHashes: site.scriptHashes });
  const plain = (status: number, text: string, headers: Record<string, string> = {}) =>
    new Response(`${text}\n`, {
      status,
      headers: {
        ...common,
        "Content-Type": "text/plain;charset=utf-8",
        "Cache-Control": "no-store",
        ...headers,
      },
    });

  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return plain(405, "Method not allowed", { Allow: "GET, HEAD" });
    const { pathname } = new URL(request.url);
    const { found, status } = pageFor(site, pathname);
    if (!found) return plain(404, "Not found");
    const encoding = chooseEncoding(found, request.headers.get("Accept-Encoding"));
    const content = found.encodings.get(encoding);
    if (!content) return plain(406, "This file is not available in an encoding you accept");
    const headers: Record<string, string> = {
      ...common,
      ...(linkPage(pathname) && NOINDEX),
      ...assetPolicy(found.path),
      ...(found.encodings.size > 1 && { Vary: "Accept-Encoding" }),
      "Cache-Control": VERSIONED.test(found.path) ? IMMUTABLE : REVALIDATE,
      ETag: content.etag,
    };
    if (status === 200 && isKnown(request.headers.get("If-None-Match"), content.etag))
      return new Response(null, { status: 304, headers });
    if (encoding !== "identity") headers["Content-Encoding"] = encoding;
    return new Response(content.body, { status, headers: { ...headers, "Content-Type": found.type } });
  };
}

function assetPolicy(path: string): Record<string, string> {
  if (path.startsWith(PDFJS_FOLDER)) return PDFJS_POLICY;
  return ASSET_FOLDERS.some((folder) => path.startsWith(folder)) ? ASSET_POLICY : {};
}

function pageFor(
  { files }: StaticFiles,
  pathname: string,
): { found: StaticFile | undefined; status: 200 | 404 } {
  const exact = files.get(pathname);
  if (exact || LOOKS_LIKE_A_FILE.test(pathname)) return { found: exact, status: 200 };
  const page = pathname === AUTH_PAGE ? AUTH_PAGE : linkPage(pathname);
  if (page) return { found: files.get(`${page}.html`), status: 200 };
  return { found: files.get("/index.html"), status: isAppPage(pathname) ? 200 : 404 };
}

/** The page of a private link, if the path is one. */
function linkPage(pathname: string): string | undefined {
  const name = pathname.split("/", 2)[1] ?? "";
  return Object.hasOwn(LINK_PAGES, name) ? LINK_PAGES[name] : undefined;
}

/** The smallest encoding the client accepts; identity unless it accepts another. */
function chooseEncoding(file: StaticFile, accepted: string | null): Encoding {
  const unacceptable = /;\s*q=0(?:\.0*)?\s*$/;
  const names = (accepted ?? "")
    .split(",")
    .filter((part) => !unacceptable.test(part))
    .map((part) => part.split(";", 1)[0]?.trim().toLowerCase());
  const takes = (encoding: Encoding) => file.encodings.has(encoding) && names.includes(encoding);
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const known = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
