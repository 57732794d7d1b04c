/** A file that arrives in chunks. */
export type UploadSession = {
  size: number | null;
  received: Uint8Array<ArrayBuffer>[];
  offset: number;
  /** Stores the whole file. @returns the response to the last chunk */
  finish(bytes: Uint8Array<ArrayBuffer>): Response;
};

/** The chunk of a PUT. @returns a response if its headers are not as both providers demand */
export async function readChunk(request: Request, session: UploadSession, unit: number) {
  const { headers } = request;
  const refuse = (status: number, message: string) =>
    Response.json({ error: { code: "invalidRequest", message } }, { status });
  if (headers.get("transfer-encoding")) return refuse(411, "Transfer-Encoding");
  if (!headers.has("content-length")) return refuse(411, "Content-Length is missing");
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get("content-range") ?? "");
  if (!range) return refuse(400, "Content-Range");
  const [start = 0, last = 0, size] = range.slice(1).map(Number);
  const end = last + 1;
  session.size ??= size ?? 0;
  if (size !== session.size) return refuse(400, "the size is another one");
  if (Number(headers.get("content-length")) !== end - start) return refuse(400, "Content-Length is wrong");
  if (end !== session.size && (end - start) % unit !== 0) return refuse(400, `not a multiple of ${unit}`);
  const bytes = await request.bytes();
  if (bytes.length !== end - start) return refuse(400, "the body is shorter than it says");
  return { start, end, bytes };
}

export function store(session: UploadSession, bytes: Uint8Array<ArrayBuffer>): void {
  session.received.push(bytes);
  session.offset += bytes.length;
}

export function wholeOf({ received, size }: UploadSession): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size ?? 0);
  let at = 0;
  for (const bytes of received) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
