import { gc } from "bun";

const LARGE_BODY_BYTES = 1024 * 1024;
const BODIES_PER_COLLECTION = 32;

/**
 * Frees what request bodies leave behind. Problem: Bun reads a body into buffers of up to 2 MiB, and the last one stays
 * with the request. A request that was running during one of the frequent small collections is freed only by a
 * full one, which may be minutes away: a file of 5 GB in 8 MiB chunks kept 50 to 95 MB. A collection takes
 * some 20 ms, so one runs only after so many large bodies (256 MiB of such chunks).
 * @returns to be called after each request
 */
export function createBufferRelease(collect: () => void = () => gc(true)): (request: Request) => void {
  let bodies = 0;
  return ({ headers }) => {
    if (!(Number(headers.get("Content-Length")) >= LARGE_BODY_BYTES)) return;
    bodies++;
    if (bodies % BODIES_PER_COLLECTION > 0) return;
    // After the response was sent.
    setTimeout(collect, 0);
  };
}
