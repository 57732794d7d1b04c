import { type MultipartError, make, type PartInfo } from "multipasta";
import { appError } from "../errors";

/** Takes the bytes of one file in turn. */
export interface FileSink {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

export interface MultipartHandler {
  /** A file begins; what it throws ends the reading. */
  file(part: { name: string; fileName: string }): Promise<FileSink>;
  /** A field that is not a file. */
  field(name: string): Promise<void>;
}

const MAX_FIELD_BYTES = 64 * 1024;
const DASH = 0x2d;

/**
 * Reads a multipart body piece by piece: the next piece is asked for only when the handler is done with
 * the one before, so that no more than a piece is ever in memory.
 * @throws AppError for a body that is not multipart, is malformed, or ends too soon; what the handler throws
 */
export async function readMultipart(
  request: { body: ReadableStream<Uint8Array> | null; contentType: string | undefined },
  handler: MultipartHandler,
  { maxParts }: { maxParts: number },
): Promise<void> {
  if (!/^multipart\/form-data\s*;/i.test(request.contentType ?? "")) throw appError("multipart_required");
  if (!request.body) throw appError("malformed_multipart");

  const steps: (() => Promise<void>)[] = [];
  let failure: MultipartError | undefined;
  let complete = false;
  const parser = make({
    headers: { "content-type": request.contentType ?? "" },
    maxParts,
    maxFieldSize: MAX_FIELD_BYTES,
    isFile: (part) => dispositionOf(part).fileName !== undefined,
    onField: (part) => steps.push(() => handler.field(dispositionOf(part).name)),
    onFile: (part) => {
      const { name, fileName = "" } = dispositionOf(part);
      let sink: FileSink;
      steps.push(async () => {
        sink = await handler.file({ name, fileName });
      });
      return (chunk) => steps.push(() => (chunk ? sink.write(chunk) : sink.end()));
    },
    onError: (error) => {
      failure ??= error;
    },
    onDone: () => {
      complete = true;
    },
  });

  for await (const piece of withoutLoneDash(interruptible(request.body))) {
    parser.write(piece);
    for (const step of steps.splice(0)) await step();
    if (failure) throw appError("malformed_multipart");
  }
  if (!complete) throw appError("upload_interrupted");
}

/** Tells a connection that broke from a fault of our own. */
async function* interruptible(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw appError("upload_interrupted");
      });
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Never ends a piece between the two dashes that close the body: the parser takes them only together. */
async function* withoutLoneDash(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = false;
  for await (const piece of pieces) {
    const whole: Uint8Array = held ? prepend(DASH, piece) : piece;
    held = whole.at(-1) === DASH && whole.at(-2) !== DASH;
    const ready = held ? whole.subarray(0, -1) : whole;
    if (ready.length > 0) yield ready;
  }
  if (held) yield Uint8Array.of(DASH);
}

/**
 * The names a part goes by. Browsers write `"`, CR and LF as `%22`, `%0D` and `%0A` and leave the rest as
 * it is; anything more that is decoded would change names that really hold a percent sign.
 */
function dispositionOf(part: PartInfo): { name: string; fileName?: string } {
  const header = [part.headers["content-disposition"]].flat()[0] ?? "";
  const parameters = new Map<string, string>();
  for (const [, key, quoted, token] of header.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/g)) {
    const name = key?.toLowerCase() ?? "";
    if (!parameters.has(name)) parameters.set(name, unescapeName(quoted ?? token ?? ""));
  }
  return { name: parameters.get("name") ?? "", fileName: parameters.get("filename") };
}

const ESCAPES: Record<string, string> = { "%22": '"', "%0D": "\r", "%0A": "\n" };
const unescapeName = (name: string) =>
  name.replace(/%22|%0D|%0A/gi, (escape) => ESCAPES[escape.toUpperCase()] ?? escape);

function prepend(byte: number, piece: Uint8Array): Uint8Array {
  const whole = new Uint8Array(piece.length + 1);
  whole[0] = byte;
  whole.set(piece, 1);
  return whole;
}
