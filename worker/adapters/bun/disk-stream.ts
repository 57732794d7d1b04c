import { type FileHandle, open } from "node:fs/promises";
import { storeError } from "./disk-errors";

const CHUNK = 256 * 1024;

/**
 * The file's bytes from `start` up to `end`. It is opened by the first read only, so that a body nobody
 * reads (of a HEAD request) leaves no descriptor open.
 */
export function streamFile(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let handle: FileHandle | undefined;
  let position = start;
  const close = async () => {
    await handle?.close();
    handle = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (position < end) {
            handle ??= await open(path, "r");
            const chunk = new Uint8Array(Math.min(CHUNK, end - position));
            const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
            if (bytesRead === 0) throw new Error("The file is shorter than it was");
            position += bytesRead;
            controller.enqueue(chunk.subarray(0, bytesRead));
          }
          if (position >= end) {
            await close();
            controller.close();
          }
        } catch (error) {
          await close().catch(() => {});
          controller.error(storeError(error));
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
