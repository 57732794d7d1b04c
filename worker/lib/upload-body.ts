import { appError, disconnected } from "../errors";
import { withDeadline } from "./retry";

/** The slowest accepted upload: at least `bytes` for each `milliseconds` spent waiting. */
export type Pace = { bytes: number; milliseconds: number };

/** 4 KiB per second, measured once a minute: real phones are faster, trickling attackers are not. */
const SLOWEST_PACE: Pace = { bytes: 240 * 1024, milliseconds: 60_000 };

/**
 * The chunks of a request body. Only time spent waiting for the client counts.
 * @throws AppError `upload_interrupted` if the connection breaks, `upload_too_slow`
 */
export async function* uploadChunks(
  body: ReadableStream<Uint8Array>,
  pace: Pace = SLOWEST_PACE,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let waited = 0;
  let arrived = 0;
  try {
    for (;;) {
      const started = performance.now();
      const { done, value } = await withDeadline(
        reader.read().catch(disconnected("upload_interrupted")),
        pace.milliseconds - waited,
        tooSlow,
      );
      if (done) return;
      waited += performance.now() - started;
      arrived += value.length;
      if (arrived >= pace.bytes) {
        waited = 0;
        arrived = 0;
      }
      yield value;
    }
  } finally {
    // Otherwise the client keeps sending a body that nobody reads.
    await reader.cancel().catch(() => {});
  }
}

/**
 * Frees the memory of a chunk that is no longer needed and does not share its buffer. Garbage collection would free it
 * later: with twenty concurrent uploads, some 100 MB would wait for it.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const tooSlow = () => appError("upload_too_slow");
