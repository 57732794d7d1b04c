import type { FileScanner, Verdict } from "../../../worker/ports/file-store";

/** A file to scan, generated in workerd: filler bytes, followed by the chunks of its text. */
export type ScanCall = { fill?: number; chunks: readonly string[]; withinMs?: number };

const BLOCK = 64 * 1024;

export function callScanner(
  scanner: FileScanner,
  { fill = 0, chunks, withinMs }: ScanCall,
): Promise<Verdict> {
  const encoder = new TextEncoder();
  let left = fill;
  let index = 0;
  const file = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(left, BLOCK);
      left -= size;
      if (size > 0) return controller.enqueue(new Uint8Array(size).fill(0x20));
      const chunk = chunks[index];
      index += 1;
      if (chunk === undefined) controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
  return scanner.scan(file, AbortSignal.timeout(withinMs ?? 20_000));
}
