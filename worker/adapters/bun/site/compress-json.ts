import { gzipSync } from "bun";

/** Below this size the header costs more than compression saves. */
const WORTH_BYTES = 1024;
/** Nearly as small as the best level, in a third of its time. */
const LEVEL = 3;

/**
 * Compresses a JSON response with gzip if the client accepts it and it is worth it. Workers compress on their own.
 */
export async function compressJson(request: Request, response: Response): Promise<Response> {
  const { headers, status, statusText } = response;
  if (!headers.get("Content-Type")?.startsWith("application/json")) return response;
  headers.append("Vary", "Accept-Encoding");
  if (!/\bgzip\b/.test(request.headers.get("Accept-Encoding") ?? "")) return response;
  const bytes = await response.bytes();
  if (bytes.length < WORTH_BYTES) return new Response(bytes, { status, statusText, headers });
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  return new Response(gzipSync(bytes, { level: LEVEL }), { status, statusText, headers });
}
