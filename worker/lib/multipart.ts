import { make, type PartInfo } from "multipasta";
import { appError } from "../errors";
import { cleanPartHeaders } from "./multipart-headers";
import { freeMemory, uploadPieces } from "./upload-body";

/** Receives the bytes of one file in order. */
export interface FileSink {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

export interface MultipartHandler {
  /** Called when a file begins. If it throws, reading stops. */
  file(part: { name: string; fileName: string }): Promise<FileSink>;
  /** A field that is not a file. */
  field(name: string): Promise<void>;
}

const MAX_FIELD_BYTES = 64 * 1024;
const DASH = 0x2d;

/**
 * RFC 2046 allows 70 characters. The parser loops forever on a boundary of 252 characters, so longer ones are rejected
 * first.
 */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i;

/**
 * Reads a multipart body chunk by chunk. The next chunk is read only when the handler is done with the previous one,
 * so at most one chunk is in memory. Nothing is read after the closing boundary.
 * @throws AppError for a body that is not multipart, malformed or truncated; and whatever the handler throws
 */
export async function readMultipart(
  request: { body: ReadableStream<Uint8Array> | null; contentType: string | undefined },
  handler: MultipartHandler,
  { maxParts }: { maxParts: number },
): Promise<void> {
  const { body, contentType = "" } = request;
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) throw appError("multipart_required");
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (!body || !boundary) throw appError("malformed_multipart");

  const { parser, next, wasTaken } = createParser(boundary, handler, maxParts);
  const clean = cleanPartHeaders(boundary);
  for await (const piece of withoutLoneDash(uploadPieces(body))) {
    const cleaned = clean(piece);
    if ((await next(() => parser.write(cleaned))) === "complete") return;
    if (wasTaken(cleaned)) freeMemory(cleaned);
  }
  if ((await next(() => parser.end())) !== "complete") throw appError("upload_interrupted");
}

/**
 * A parser with a queue of events, and `next`, which feeds it and passes the events to the handler one by one.
 * `wasTaken` returns whether the whole last piece went to a file, so that the parser holds no reference to it.
 */
function createParser(boundary: string, handler: MultipartHandler, maxParts: number) {
  const steps: (() => Promise<void>)[] = [];
  let state: "reading" | "complete" | "malformed" = "reading";
  let last: PartInfo | undefined;
  let taken: Uint8Array | null = null;
  const fail = () => {
    if (state === "reading") state = "malformed";
  };
  /** If a part's headers are truncated, the parser reports the previous part a second time. */
  const begin = (part: PartInfo) => {
    if (part === last || !dispositionOf(part).name) fail();
    last = part;
    return state === "reading";
  };
  const parser = make({
    headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    maxParts,
    maxFieldSize: MAX_FIELD_BYTES,
    isFile: (part) => dispositionOf(part).fileName !== undefined,
    onField(part) {
      if (begin(part)) steps.push(() => handler.field(dispositionOf(part).name));
    },
    onFile(part) {
      if (!begin(part)) return () => {};
      const { name, fileName = "" } = dispositionOf(part);
      let sink: FileSink;
      let ended = false;
      steps.push(async () => {
        sink = await handler.file({ name, fileName });
      });
      return (chunk) => {
        if (state !== "reading") return;
        if (ended) return fail();
        ended = chunk === null;
        taken = chunk;
        steps.push(() => (chunk ? sink.write(chunk) : sink.end()));
      };
    },
    onError(error) {
      if (error._tag !== "EndNotReached") fail();
    },
    onDone() {
      if (state === "reading") state = "complete";
    },
  });
  const next = async (feed: () => void) => {
    try {
      feed();
    } catch {
      fail();
    }
    for (const step of steps.splice(0)) await step();
    if (state === "malformed") throw appError("malformed_multipart");
    return state;
  };
  return { parser, next, wasTaken: (piece: Uint8Array) => taken === piece };
}

/** Never ends a chunk between the two closing dashes: the parser only recognizes them together. */
async function* withoutLoneDash(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let carriesDash = false;
  for await (const piece of pieces) {
    const whole: Uint8Array = carriesDash ? prepend(DASH, piece) : piece;
    carriesDash = whole.at(-1) === DASH && whole.at(-2) !== DASH;
    const ready = carriesDash ? whole.subarray(0, -1) : whole;
    if (ready.length > 0) yield ready;
  }
  if (carriesDash) yield Uint8Array.of(DASH);
}

/**
 * The names of a part; "" if missing. Browsers encode `"`, CR and LF as `%22`, `%0D` and `%0A` and nothing else, so
 * decoding more would change names that contain a percent sign.
 */
function dispositionOf(part: PartInfo | undefined): { name: string; fileName?: string } {
  const header = part?.headers["content-disposition"];
  const parameters = new Map<string, string>();
  if (typeof header === "string" && /^\s*form-data\s*;/i.test(header)) {
    for (const [, key, quoted, token] of header.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/g)) {
      const name = key?.toLowerCase() ?? "";
      if (!parameters.has(name)) parameters.set(name, unescapeName(quoted ?? token ?? ""));
    }
  }
  return { name: parameters.get("name") ?? "", fileName: parameters.get("filename") };
}

const ESCAPES: Record<string, string> = { "%22": '"', "%0D": "\r", "%0A": "\n" };

/** Decodes what browsers encode in multipart names. */
export const unescapeName = (name: string) =>
  name.replace(/%22|%0D|%0A/gi, (code) => ESCAPES[code.toUpperCase()] ?? code);

function prepend(byte: number, piece: Uint8Array): Uint8Array {
  const whole = new Uint8Array(piece.length + 1);
  whole[0] = byte;
  whole.set(piece, 1);
  return whole;
}
