import { freeMemory } from "../../lib/upload-body";
import type { Sha256 } from "../../ports/sha256";
import type { TypeCheck } from "./type-check";

type Receiver = {
  /** Counts the bytes of a chunk before it is used. @throws AppError if there are too many */
  count(bytes: number): Promise<void>;
  type: TypeCheck;
  /** Writes a chunk to the store. */
  write(chunk: Uint8Array): Promise<void>;
  hashes: readonly Sha256[];
};

/**
 * What happens to each byte of a file, in a multipart body (`incoming-files.ts`) and in an upload that can be continued
 * (`uploads/append-upload.ts`): it is counted, checked, stored and hashed. After the last byte both make the file
 * readable in the store, have it scanned and record it.
 * @throws whatever a step throws; the bytes before it were written
 */
export async function receiveBytes(
  chunks: AsyncIterable<Uint8Array>,
  { count, type, write, hashes }: Receiver,
): Promise<void> {
  for await (const chunk of chunks) {
    await count(chunk.length);
    await type.take(chunk);
    const stored = write(chunk);
    // While the store receives the chunk.
    for (const hash of hashes) hash.update(chunk);
    await stored;
    freeMemory(chunk);
  }
}
