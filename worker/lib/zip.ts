import { letOthersRunEvery } from "./turns";

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
  let count = 0;
  const next = async () => {
    const entry = await entries.next();
    if (!entry.done) count += 1;
    return entry;
  };
  // An aborted reader makes client-zip throw into the entries, which is not a failure.
  const zip = makeZip({
    [Symbol.asyncIterator]: () => ({ next, throw: () => entries.return(undefined) }),
  });
  return withRecordOfCount(zip, () => count);
}

/** Small files come at once, and the end of an archive names all of them. */
const ARCHIVED_MS = 10;
/** The end of an archive has no room for a number from here on. */
const MAX_COUNT = 0xffff;
const RECORD = 0x06064b50;
const RECORD_BYTES = 56;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
/** Of the format that has the record. */
const VERSION = 45;

/**
 * Adds the ZIP64 record that an archive of so many entries needs before its end: client-zip 2.5 writes it for large files
 * and archives only.
 */
function withRecordOfCount(zip: ReadableStream<Uint8Array>, count: () => number): ReadableStream<Uint8Array> {
  const reader = zip.getReader();
  const letOthersRun = letOthersRunEvery(ARCHIVED_MS);
  const held: Uint8Array[] = [];
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        await letOthersRun();
        const { value, done } = await reader.read();
        if (done) break;
        const first = held.length === 2 && held.shift();
        held.push(value);
        if (first) return controller.enqueue(first);
      }
      const [before, end] = held;
      const isAsLong = before?.length === RECORD_BYTES + LOCATOR_BYTES;
      const hasRecord = isAsLong && viewOf(before).getUint32(0, true) === RECORD;
      if (end && count() >= MAX_COUNT && !hasRecord) held.splice(1, 0, countRecord(count(), viewOf(end)));
      for (const chunk of held) controller.enqueue(chunk);
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The ZIP64 record with the number of entries, and the locator that leads to it. */
function countRecord(count: number, end: DataView): Uint8Array {
  const [size, offset] = [end.getUint32(12, true), end.getUint32(16, true)];
  const bytes = new Uint8Array(RECORD_BYTES + LOCATOR_BYTES);
  const view = viewOf(bytes);
  view.setUint32(0, RECORD, true);
  // Without the twelve bytes up to here.
  view.setBigUint64(4, BigInt(RECORD_BYTES - 12), true);
  view.setUint16(12, VERSION, true);
  view.setUint16(14, VERSION, true);
  for (const position of [24, 32]) view.setBigUint64(position, BigInt(count), true);
  view.setBigUint64(40, BigInt(size), true);
  view.setBigUint64(48, BigInt(offset), true);
  view.setUint32(RECORD_BYTES, LOCATOR, true);
  view.setBigUint64(RECORD_BYTES + 8, BigInt(offset + size), true);
  view.setUint32(RECORD_BYTES + 16, 1, true);
  return bytes;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

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
