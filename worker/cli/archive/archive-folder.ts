import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { type BunFile, CryptoHasher, file, write } from "bun";
import type { LastIds } from "../../../db/archive/rows";
import { syncPath } from "../../adapters/bun/files/durable-file";
import { StartError } from "../../adapters/bun/start-error";
import { pluralize } from "../messages";

/** The version of the folder format. The migration determines the format of the rows. */
export const FORMAT = 2;

export type Fingerprint = { size: number; sha256: string };

/** A stored file that is not as its row says. */
export type FileProblem = {
  key: string;
  /** What it belongs to, such as `envelope 12`. */
  owner: string;
  problem: "missing" | "damaged" | "unreadable";
};

/** The contents of an archive. Written last, so that a folder with a manifest is complete. */
export type Manifest = {
  format: number;
  /** The version of the app that wrote it. */
  version: string;
  /** The last migration of its database. */
  migration: string;
  madeAt: string;
  /** The id of the instance, and those that it had before or was restored from. */
  instances: string[];
  /** The number of rows per table. */
  rows: Record<string, number>;
  lastIds: LastIds;
  files: number;
  /** Files that were not in the store as their rows say. A damaged one is in the archive as it was. */
  problems: FileProblem[];
  /** Of the file with the secret keys; absent without them. */
  secretKeys?: Fingerprint;
  /** The size and hash of `files.ndjson` and of each file of rows, by its path in the folder. */
  lists: Record<string, Fingerprint>;
};

export type FileEntry = { key: string } & Fingerprint;

/** What an archive contains, for the operator. */
export const contentOf = ({ rows, files }: Manifest): string =>
  `${pluralize(rows.users ?? 0, "account")} with ${pluralize(files, "file")}`;

/** Rows that give access, by their table: an archive brings back those that have ended since. */
const RIGHTS = {
  apiTokens: "API token",
  webhooks: "webhook",
  invitations: "invitation",
  identities: "linked provider",
  passkeys: "passkey",
} as const;

/** Which rights an archive has brought back, for the operator; null if it has none besides the accounts'. */
export function rightsOf({ rows, madeAt }: Manifest): string | null {
  const counts = Object.entries(RIGHTS).flatMap(([table, name]) => {
    const count = rows[table] ?? 0;
    return count > 0 ? [pluralize(count, name)] : [];
  });
  if (counts.length === 0) return null;
  return `As of ${madeAt}, also if they have ended since: ${counts.join(", ")}. Passwords, second factors, members and recipients' links are those of then, too`;
}

const manifestPath = (folder: string) => join(folder, "archive.json");
/** The hash of the manifest, as `sha256sum --check` reads it. */
const sealPath = (folder: string) => join(folder, "archive.json.sha256");
export const rowsPath = (folder: string, table: string) => join(folder, "rows", `${table}.ndjson`);
export const fileListPath = (folder: string) => join(folder, "files.ndjson");
export const secretKeysPath = (folder: string) => join(folder, "secret.key");
export const filePath = (folder: string, key: string) => join(folder, "files", key);

/** A file of an archive. @throws StartError if it is something else: the end of a pipe never comes */
export function archivedFile(path: string): BunFile {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new StartError(`The archive is damaged: ${path} is not a regular file`);
  return file(path);
}

/** Streams the values of a file of JSON lines. */
export async function* readLines<T>(path: string): AsyncGenerator<T> {
  // In parts: a long line is put together once, not again with each chunk.
  let line: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of archivedFile(path).stream()) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    line.push(first);
    for (const other of others) {
      yield JSON.parse(line.join(""));
      line = [other];
    }
  }
  if (line.some((part) => part !== "")) throw new Error(`${path} ends in the middle of a line`);
}

/** Passes the bytes on chunk by chunk and returns their size and hash. */
export async function pump(
  bytes: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => unknown,
): Promise<Fingerprint> {
  const hash = new CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    await write(chunk);
  }
  return { size, sha256: hash.digest("hex") };
}

/** The size and hash of each list of the archive, by its path in the folder. */
export async function fingerprintLists(folder: string, tables: string[]): Promise<Manifest["lists"]> {
  const paths = [fileListPath(folder), ...tables.map((table) => rowsPath(folder, table))];
  const lists: Manifest["lists"] = {};
  for (const path of paths) lists[relative(folder, path)] = await pump(archivedFile(path).stream(), () => {});
  return lists;
}

/** Writes the manifest, and its hash last. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await write(manifestPath(folder), text);
  await syncPath(manifestPath(folder));
  await write(sealPath(folder), sealOf(text));
  await syncPath(sealPath(folder));
}

/** @throws StartError if it is missing or differs from what was written */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await Promise.try(() => archivedFile(manifestPath(folder)).text()).catch(
    (error: Error & { code?: string }) => {
      if (error instanceof StartError) throw error;
      if (error.code === "EACCES")
        throw new StartError(
          `The user of this command may not read ${folder}: change its owner, or copy it to where this user may read it`,
        );
      throw new StartError(`${folder} is not an archive, or an incomplete one: archive.json cannot be read`);
    },
  );
  const seal = await archivedFile(sealPath(folder))
    .text()
    .catch(() => null);
  if (seal !== sealOf(text) && !isFirstFormat(text))
    throw new StartError("The archive is damaged: archive.json does not match archive.json.sha256");
  const manifest = parseManifest(text);
  if (manifest) return manifest;
  throw new StartError("The archive is damaged: archive.json is incomplete or was changed");
}

/** Null if it is not one. The rows and lists are compared with it later. */
function parseManifest(text: string): Manifest | null {
  try {
    const manifest: Partial<Manifest> | null = JSON.parse(text);
    const { rows, lists, instances, problems, madeAt } = manifest ?? {};
    const isComplete = rows && lists && Array.isArray(instances) && Array.isArray(problems) && madeAt;
    return isComplete || isFirstFormat(text) ? (manifest as Manifest) : null;
  } catch {
    return null;
  }
}

const sealOf = (text: string) => `${new CryptoHasher("sha256").update(text).digest("hex")}  archive.json\n`;

/** Archives of 0.1 had no hash of the manifest; the error says that this version does not read them. */
const isFirstFormat = (text: string) => /^\{\s*"format": 1,/.test(text);
