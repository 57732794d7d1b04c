import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher, file, Glob } from "bun";
import { isAppPage } from "../../../contract/pages";
import { matchesEtag } from "../../../lib/etag";
import {
  ASSET_POLICY,
  NOINDEX,
  pageHeaders,
  pdfjsPolicy,
  plainResponses,
  type Transport,
} from "../../../lib/security-headers";
import {
  ASSET_FOLDERS,
  AUTH_PAGE,
  LINK_PAGES,
  LOOKS_LIKE_A_FILE,
  PDFJS_FOLDER,
} from "../../../lib/site-paths";

const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";
/** Files with a hash of their content, or a version, in their path. */
const VERSIONED = /^\/assets\/.+-[a-z0-9]{8,}\.\w+$|^\/pdfjs\//;

export type StaticSite = (request: Request) => Response;

/**
 * Serves the web app: its files, the pages for visitors and recipients, and the app's page for any other path, with
 * status 404 if the browser's router has no such route.
 */
export function createStaticSite(
  site: StaticFiles,
  { origins = [], ...transport }: Transport & { origins?: readonly string[] },
): StaticSite {
  const { scriptHashes } = site;
  const elsewhere = pageHeaders({ ...transport, scriptHashes });
  const byHost = new Map(
    origins
      .map((origin) => new URL(origin).host)
      // A policy cannot name an IPv6 address.
      .filter((host) => !host.startsWith("["))
      .map((host) => [host, pageHeaders({ ...transport, scriptHashes, host })]),
  );
  const plain = plainResponses(elsewhere);

  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return plain(405, "Method not allowed", { Allow: "GET, HEAD" });
    const { pathname, host } = new URL(request.url);
    const { found, status } = pageFor(site, pathname);
    if (!found) return plain(404, "Not found");
    const encoding = chooseEncoding(found, request.headers.get("Accept-Encoding"));
    const content = found.encodings.get(encoding);
    if (!content) return plain(406, "This file is not available in an encoding you accept");
    const headers: Record<string, string> = {
      ...(byHost.get(host) ?? elsewhere),
      ...(linkPage(pathname) && NOINDEX),
      ...assetPolicy(found.path, byHost.has(host) ? host : undefined),
      ...(found.encodings.size > 1 && { Vary: "Accept-Encoding" }),
      "Cache-Control": VERSIONED.test(found.path) ? IMMUTABLE : REVALIDATE,
      ETag: content.etag,
    };
    if (status === 200 && matchesEtag(request.headers.get("If-None-Match"), content.etag))
      return new Response(null, { status: 304, headers });
    if (encoding !== "identity") headers["Content-Encoding"] = encoding;
    return new Response(content.body, { status, headers: { ...headers, "Content-Type": found.type } });
  };
}

function assetPolicy(path: string, host: string | undefined): Record<string, string> {
  if (path.startsWith(PDFJS_FOLDER)) return pdfjsPolicy(host);
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

export type Encoding = "br" | "gzip" | "identity";

type Content = { readonly body: Uint8Array<ArrayBuffer> | Blob; readonly etag: string };

/** A file of the built web app in all encodings, each with its own entity tag. */
export type StaticFile = { path: string; type: string; encodings: ReadonlyMap<Encoding, Content> };

export type StaticFiles = {
  /** By path, such as `/assets/main-a1b2c3.js`. */
  files: ReadonlyMap<string, StaticFile>;
  /** Hashes of the inline scripts, for the Content-Security-Policy. */
  scriptHashes: string[];
};

/** Build output that only the servers use. */
const INTERNAL = new Set(["csp.json", "build.json"]);
const SUFFIXES = { br: ".br", gzip: ".gz", identity: "" } as const;

/**
 * Finds the files of the built web app. Those whose path identifies their content are read when they are sent, the others
 * now. Only files in this map are served, so no client path reaches the disk. Synchronous, because the start has nothing
 * else to do: hundreds of concurrent reads take three times as long.
 * @throws if there is no built web app
 */
export function loadStaticFiles(folder: string): StaticFiles {
  const { scriptHashes } = JSON.parse(readFileSync(join(folder, "csp.json"), "utf8"));
  const all = new Set(
    [...new Glob("**/*").scanSync({ cwd: folder })].map((path) => path.replaceAll("\\", "/")),
  );
  const shown = [...all].filter((path) => !INTERNAL.has(path) && !/\.(?:br|gz)$/.test(path));
  return { files: new Map(shown.map((path) => [`/${path}`, findFile(folder, path, all)])), scriptHashes };
}

function findFile(folder: string, path: string, all: Set<string>): StaticFile {
  const encodings = (["br", "gzip", "identity"] as const)
    .filter((encoding) => all.has(path + SUFFIXES[encoding]))
    .map((encoding) => {
      const stored = join(folder, path + SUFFIXES[encoding]);
      // The path contains the version, so it identifies the content; a later build keeps such files.
      const content = VERSIONED.test(`/${path}`)
        ? { body: file(stored), etag: `"${path}${encoding}"` }
        : readNow(stored);
      return [encoding, content] as const;
    });
  return { path: `/${path}`, type: file(path).type, encodings: new Map(encodings) };
}

/** A later build may lack this file, or contain other scripts than the security policy names. */
function readNow(path: string): Content {
  const body = readFileSync(path);
  return { body, etag: `"${CryptoHasher.hash("sha256", body, "base64url").slice(0, 22)}"` };
}
