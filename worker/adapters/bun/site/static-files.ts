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
 * served, so no client path reaches the disk.
 */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const paths = await Array.fromAsync(new Glob("**/*").scan({ cwd: folder }));
  const all = new Set(paths.map((path) => path.replaceAll("\\", "/")));
  const shown = [...all].filter((path) => !INTERNAL.has(path) && !/\.(?:br|gz)$/.test(path));
  const loaded = await Promise.all(shown.map((path) => loadFile(folder, path, all)));
  const { scriptHashes } = await file(join(folder, "csp.json")).json();
  return { files: new Map(loaded.map((one) => [one.path, one])), scriptHashes };
}

async function loadFile(folder: string, path: string, all: Set<string>): Promise<StaticFile> {
  const encodings: StaticFile["encodings"] = new Map(
    await Promise.all(
      (["br", "gzip", "identity"] as const)
        .filter((encoding) => all.has(path + SUFFIXES[encoding]))
        .map(async (encoding) => {
          const stored = file(join(folder, path + SUFFIXES[encoding]));
          const onDisk = `/${path}`.startsWith(PDFJS_FOLDER);
          const body = onDisk ? stored : await stored.bytes();
          // The path contains the version, so it identifies the content.
          const hashed = body instanceof Uint8Array ? body : path + encoding;
          const hash = new CryptoHasher("sha256").update(hashed).digest("base64url").slice(0, 22);
          return [encoding, { body, etag: `"${hash}"` }] as const;
        }),
    ),
  );
  return { path: `/${path}`, type: file(path).type, encodings };
}
