import { appError } from "../errors";
import { uploadChunks } from "./upload-body";

/** A part of a multipart body. The caller reads its bytes to their end before it asks for the next part. */
export type Part = {
  name: string;
  /** Undefined for a field that is not a file. */
  fileName: string | undefined;
  bytes: AsyncIterable<Uint8Array>;
};

const CR = 13;
const LF = 10;
const DASH = 45;
const LINE_BREAK = Uint8Array.of(CR, LF);
const END_OF_HEADERS = Uint8Array.of(CR, LF, CR, LF);
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

/** RFC 2046 allows 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i;

/**
 * The parts of a multipart body. The next chunk is read only when the caller asks for it, so at most one chunk is in
 * memory. Nothing is read after the closing boundary.
 * @throws AppError for a body that is not multipart, malformed or truncated
 */
export async function* readMultipart(
  { body, contentType = "" }: { body: ReadableStream<Uint8Array> | null; contentType: string | undefined },
  { maxParts }: { maxParts: number },
): AsyncGenerator<Part> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) throw appError("multipart_required");
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (!body || !boundary) throw malformed();

  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  const chunks = uploadChunks(body);
  const unread = createUnread(chunks);
  try {
    for await (const _preamble of bytesBefore(delimiter, unread));
    for (let parts = 1; await anotherPart(unread); parts++) {
      if (parts > maxParts) throw malformed();
      const names = namesOf(await readHeaders(unread, delimiter));
      yield { ...names, bytes: bytesBefore(delimiter, unread) };
    }
  } finally {
    await chunks.return(undefined);
  }
}

/** The text of a part that is no file; null if it is longer. */
export async function readText(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Unread = {
  readonly bytes: Uint8Array;
  /** Adds the next chunk. @throws AppError `upload_interrupted` if there is none */
  more(): Promise<void>;
  take(length: number): Uint8Array;
};

/** The bytes that were received and not yet used. */
function createUnread(chunks: AsyncIterator<Uint8Array>): Unread {
  // The first delimiter may be at the very beginning, without a line break before it.
  let bytes: Uint8Array = LINE_BREAK;
  return {
    get bytes() {
      return bytes;
    },
    async more() {
      const { done, value } = await chunks.next();
      if (done) throw appError("upload_interrupted");
      bytes = bytes.length === 0 ? value : concatBytes(bytes, value);
    },
    take(length) {
      const taken = bytes.subarray(0, length);
      bytes = bytes.subarray(length);
      return taken;
    },
  };
}

/** The bytes before the delimiter, chunk by chunk. The delimiter is taken as well. */
async function* bytesBefore(delimiter: Uint8Array, unread: Unread): AsyncGenerator<Uint8Array> {
  for (;;) {
    const end = find(delimiter, unread.bytes);
    if (end > 0) yield unread.take(end);
    if (unread.bytes.length >= delimiter.length) break;
    await unread.more();
  }
  unread.take(delimiter.length);
}

/** The index of `wanted`, or of its beginning at the end of the bytes; the length of the bytes if there is neither. */
function find(wanted: Uint8Array, bytes: Uint8Array, from = 0): number {
  for (let start = bytes.indexOf(CR, from); start >= 0; start = bytes.indexOf(CR, start + 1)) {
    const length = Math.min(wanted.length, bytes.length - start);
    let matched = 1;
    while (matched < length && bytes[start + matched] === wanted[matched]) matched++;
    if (matched === length) return start;
  }
  return bytes.length;
}

/** Whether a part follows the delimiter; false for the closing one. */
async function anotherPart(unread: Unread): Promise<boolean> {
  while (unread.bytes.length < LINE_BREAK.length) await unread.more();
  const [first, second] = unread.bytes;
  if (first === DASH && second === DASH) return false;
  if (first === CR && second === LF) return true;
  throw malformed();
}

/** The lines of a part's headers, which begin with the line break of the delimiter. */
async function readHeaders(unread: Unread, delimiter: Uint8Array): Promise<string[]> {
  const isWhole = (wanted: Uint8Array, index: number) => index + wanted.length <= unread.bytes.length;
  let end = 0;
  // What was searched is not searched again: chunks may have one byte.
  for (let next = 0; ; await unread.more()) {
    end = find(END_OF_HEADERS, unread.bytes, end);
    if (isWhole(END_OF_HEADERS, end)) break;
    next = find(delimiter, unread.bytes, next);
    if (unread.bytes.length > MAX_HEADER_BYTES || isWhole(delimiter, next)) throw malformed();
  }
  if (end > MAX_HEADER_BYTES) throw malformed();
  const headers = unread
    .take(end + END_OF_HEADERS.length)
    .subarray(LINE_BREAK.length, -END_OF_HEADERS.length);
  const lines = new TextDecoder().decode(headers).split("\r\n");
  if (lines.length > MAX_HEADERS) throw malformed();
  return lines;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n]*)$/;

/** The name of a part and of its file, from its one `Content-Disposition`. */
function namesOf(headers: readonly string[]): { name: string; fileName: string | undefined } {
  const dispositions: string[] = [];
  for (const header of headers) {
    const [, key, value] = HEADER.exec(header) ?? [];
    if (key === undefined || value === undefined) throw malformed();
    if (key.toLowerCase() === "content-disposition") dispositions.push(withoutControls(value));
  }
  const [disposition = "", another] = dispositions;
  if (another !== undefined || !/^\s*form-data\s*;/i.test(disposition)) throw malformed();
  const parameters = new Map<string, string>();
  for (const [, key = "", quoted, token] of disposition.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/g)) {
    if (!parameters.has(key.toLowerCase()))
      parameters.set(key.toLowerCase(), unescapeName(quoted ?? token ?? ""));
  }
  const name = parameters.get("name");
  if (!name || !isEncoded(parameters.get("filename*") ?? "")) throw malformed();
  return { name, fileName: parameters.get("filename") };
}

const malformed = () => appError("malformed_multipart");

/** Replaces control characters, which browsers send unchanged in the name of a file, with tabs. */
export const withoutControls = (text: string) =>
  [...text].map((char) => (isControl(char.charCodeAt(0)) ? "\t" : char)).join("");

const isControl = (code: number) => (code < 32 && code !== LF && code !== CR) || code === 127;

const ESCAPES: Record<string, string> = { "%22": '"', "%0D": "\r", "%0A": "\n" };

/**
 * Decodes a name in a header. Browsers encode `"`, CR and LF as `%22`, `%0D` and `%0A` and nothing else, so decoding
 * more would change names that contain a percent sign.
 */
export const unescapeName = (name: string) =>
  name.replace(/%22|%0D|%0A/gi, (code) => ESCAPES[code.toUpperCase()] ?? code);

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
