import { storeError } from "./disk-errors";
import { type OpenFile, openFile } from "./open-file";

const CHUNK = 64 * 1024;

/**
 * The file's bytes from `start` up to `end`. It is opened by the first read only, so that a body nobody
 * reads (of a HEAD request) leaves no descriptor open.
 */
export function streamFile(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let file: OpenFile | undefined;
  let position = start;
  const close = async () => {
    await file?.close();
    file = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (position < end) {
            file ??= await openFile(path, "r");
            const chunk = new Uint8Array(Math.min(CHUNK, end - position));
            const bytesRead = await file.read(chunk, position);
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
