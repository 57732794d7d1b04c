import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher, file, Glob } from "bun";
import { PDFJS_FOLDER } from "../../../lib/site-paths";

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
 * Finds the files of the built web app, which are read into memory when they are first asked for; pdf.js, which is large
 * and rarely needed, never is. Only files in this map are served, so no client path reaches the disk. Synchronous, because
 * the start has nothing else to do: hundreds of concurrent reads take three times as long.
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
      // The path contains the version, so it identifies the content.
      const content = `/${path}`.startsWith(PDFJS_FOLDER)
        ? { body: file(stored), etag: `"${path}${encoding}"` }
        : readOnce(stored);
      // A later build may lack this file, or contain other scripts than the security policy names. It keeps assets.
      if (path.endsWith(".html") || (encoding !== "identity" && !path.startsWith("assets/")))
        void content.body;
      return [encoding, content] as const;
    });
  return { path: `/${path}`, type: file(path).type, encodings: new Map(encodings) };
}

/** Most files are encodings that no browser asks for, or languages that nobody speaks. */
function readOnce(path: string): Content {
  let body: Uint8Array<ArrayBuffer> | undefined;
  let etag: string | undefined;
  const read = () => {
    body ??= readFileSync(path);
    return body;
  };
  return {
    get body() {
      return read();
    },
    get etag() {
      etag ??= `"${CryptoHasher.hash("sha256", read(), "base64url").slice(0, 22)}"`;
      return etag;
    },
  };
}
