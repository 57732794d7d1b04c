import type { Dependencies } from "../../dependencies";
import { StoreUnavailableError } from "../../ports/file-store";
import type { Sha256 } from "../../ports/sha256";

const MOST = 1000;

/**
 * Takes the hash of an upload's bytes up to the offset, as this process left it after the previous chunk; undefined if
 * another process received that chunk. The state of the runtimes' native hashes cannot be stored, and a hash in
 * JavaScript takes five times as long; in that case the finished file is read again instead.
 */
export function takeHash(
  { memory: { hashes }, createSha256 }: Dependencies,
  id: string,
  offset: number,
): Sha256 | undefined {
  const known = hashes.get(id);
  hashes.delete(id);
  if (offset === 0) return createSha256();
  return known?.offset === offset ? known.hash : undefined;
}

/** Stores the hash for the next chunk. Above the limit, the oldest is dropped. */
export function cacheHash(
  { memory: { hashes } }: Dependencies,
  id: string,
  known: { offset: number; hash: Sha256 },
): void {
  const [oldest] = hashes.size >= MOST ? hashes.keys() : [];
  if (oldest !== undefined) hashes.delete(oldest);
  hashes.set(id, known);
}

/** The hash of a stored file, computed by reading it. */
export async function hashStored({ files, createSha256 }: Dependencies, key: string): Promise<string> {
  const bytes = await files.read(key);
  if (!bytes) throw new StoreUnavailableError("The finished file is missing");
  const hash = createSha256();
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest();
}
