import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher, file, Glob } from "bun";
import { PDFJS_FOLDER } from "../../../lib/site-paths";

export type Encoding = "br" | "gzip" | "identity";

/** A file of the built web app in all encodings, each with its own entity tag. */
export type StaticFile = {
  path: string;
  type: string;
  encodings: ReadonlyMap<Encoding, { body: Uint8Array<ArrayBuffer> | Blob; etag: string }>;
};

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
 * Reads the built web app into memory, except pdf.js, which is large and rarely needed. Only files in this map are
 * served, so no client path reaches the disk. Synchronous, because the start has nothing else to do: hundreds of
 * concurrent reads take three times as long.
 * @throws if there is no built web app
 */
export function loadStaticFiles(folder: string): StaticFiles {
  const { scriptHashes } = JSON.parse(readFileSync(join(folder, "csp.json"), "utf8"));
  const all = new Set(
    [...new Glob("**/*").scanSync({ cwd: folder })].map((path) => path.replaceAll("\\", "/")),
  );
  const shown = [...all].filter((path) => !INTERNAL.has(path) && !/\.(?:br|gz)$/.test(path));
  return { files: new Map(shown.map((path) => [`/${path}`, loadFile(folder, path, all)])), scriptHashes };
}

function loadFile(folder: string, path: string, all: Set<string>): StaticFile {
  const onDisk = `/${path}`.startsWith(PDFJS_FOLDER);
  const encodings = (["br", "gzip", "identity"] as const)
    .filter((encoding) => all.has(path + SUFFIXES[encoding]))
    .map((encoding) => {
      const stored = join(folder, path + SUFFIXES[encoding]);
      const body = onDisk ? file(stored) : readFileSync(stored);
      // The path contains the version, so it identifies the content.
      const hash = onDisk ? path + encoding : CryptoHasher.hash("sha256", body, "base64url").slice(0, 22);
      return [encoding, { body, etag: `"${hash}"` }] as const;
    });
  return { path: `/${path}`, type: file(path).type, encodings: new Map(encodings) };
}
