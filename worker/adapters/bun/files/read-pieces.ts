import { storeError } from "./disk-errors";
import { type OpenFile, openFile } from "./open-file";

/** The size of one read. Every read reuses the same memory. */
const BLOCK_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * The bytes of a file between two offsets, read on demand. Problem: chunks in flight during one of the frequent small
 * garbage collections stay in memory until the next full one. With the 256 KiB chunks of Bun's own stream, an archive
 * of 2 GB takes more than 100 MB; small chunks leave little behind.
 */
export function readPieces(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let opened: Promise<OpenFile> | undefined;
  let block: Uint8Array<ArrayBuffer> | undefined;
  let unsent = new Uint8Array(0);
  let position = start;
  const close = async () => (await opened?.catch(() => {}))?.close();

  async function readBlock(): Promise<void> {
    try {
      opened ??= openFile(path, "r");
      const file = await opened;
      block ??= new Uint8Array(Math.min(BLOCK_BYTES, end - start));
      const count = await file.read(block.subarray(0, end - position), position);
      if (count === 0) throw new Error("The file has become shorter");
      position += count;
      unsent = block.subarray(0, count);
    } catch (error) {
      await close();
      throw storeError(error);
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (unsent.length === 0 && position < end) await readBlock();
        if (unsent.length > 0) controller.enqueue(unsent.slice(0, PIECE_BYTES));
        unsent = unsent.subarray(PIECE_BYTES);
        if (unsent.length > 0 || position < end) return;
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
