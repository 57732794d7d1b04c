/** A file of an archive. `size` in bytes, if known. */
export type ZipEntry = {
  name: string;
  lastModified: Date;
  size?: number;
  input: string | AsyncIterable<string | Uint8Array>;
};

/** An archive of the entries, generated while it is read, so that its size does not matter. */
export async function zipStream(entries: AsyncGenerator<ZipEntry>): Promise<ReadableStream<Uint8Array>> {
  const { makeZip } = await import("./zip-writer");
  // An aborted reader makes client-zip throw into the entries, which is not a failure.
  return makeZip({
    [Symbol.asyncIterator]: () => ({ next: () => entries.next(), throw: () => entries.return(undefined) }),
  });
}

/**
 * One stored file as an entry; `onChunk` sees its bytes. The entry releases the file itself: if the archive is not read
 * to its end, only the generator's `return` is called.
 */
export async function* fileEntry(
  bytes: ReadableStream<Uint8Array>,
  entry: Omit<ZipEntry, "input">,
  onChunk?: (chunk: Uint8Array) => void,
): AsyncGenerator<ZipEntry> {
  const reader = bytes.getReader();
  try {
    yield { ...entry, input: chunksOf(reader, onChunk) };
  } finally {
    await reader.cancel();
  }
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onChunk?: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onChunk?.(value);
    yield value;
  }
}
