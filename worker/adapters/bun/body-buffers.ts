import { gc } from "bun";

const BYTES_PER_COLLECTION = 256 * 1024 * 1024;

/**
 * Frees what the chunks of resumable uploads leave behind. Problem: Bun reads a body into buffers of up to 2 MiB, and
 * the last one stays with the request. A request that was running during one of the frequent small collections is
 * freed only by a full one, which may be minutes away: a file of 5 GB in 8 MiB chunks kept 50 to 95 MB. A collection
 * takes some 20 ms, so one runs only after so many stored bytes. A file in one request needs none, and a rejected
 * request causes none.
 * @returns to be called with each request and its response
 */
export function createBufferRelease(
  collect: () => void = () => gc(true),
): (request: Request, response: Response) => void {
  let bytes = 0;
  return ({ method, headers }, { status }) => {
    if (method !== "PATCH" || status !== 204) return;
    bytes += Number(headers.get("Content-Length") ?? 0);
    if (bytes < BYTES_PER_COLLECTION) return;
    bytes = 0;
    // After the response was sent.
    setTimeout(collect, 0);
  };
}
