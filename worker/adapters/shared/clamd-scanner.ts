import type { FileScanner, Verdict } from "../../ports/file-scanner";

/** An open connection to clamd. */
export type ByteConnection = {
  /** Resolves when the connection accepts more data. */
  write(bytes: Uint8Array): Promise<void>;
  incoming: AsyncIterable<Uint8Array>;
  /** Closes the connection at any time; may be called twice. */
  close(): void;
};

/** Resolves once the connection is open. The signal aborts it. */
export type Connect = (
  server: { host: string; port: number },
  signal: AbortSignal,
) => Promise<ByteConnection>;

const CONNECT_MS = 5_000;
/** The maximum length of a reply, which is one line: the name of a virus or a short sentence. */
const MAX_REPLY_BYTES = 4096;
const COMMAND = new TextEncoder().encode("zINSTREAM\0");
const END_OF_STREAM = new Uint8Array(4);

/** Scans files with the clamd server at `tcp://host:port`, using its INSTREAM command. */
export function createClamdScanner(
  url: string,
  connect: Connect,
  { connectMs = CONNECT_MS }: { connectMs?: number } = {},
): FileScanner {
  const { hostname, port } = new URL(url);
  const server = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
  return {
    async scan(file, signal) {
      const source = file.getReader();
      let connection: ByteConnection | undefined;
      try {
        const opening = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
        connection = await unlessAborted(opening, connect(server, opening));
        return await converse(connection, source, signal);
      } catch (error) {
        if (error instanceof UnreadableFile) throw error.cause;
        // A server that closes the connection has rejected this file; the next one shows whether the server is still
        // up.
        const down = connection === undefined || signal.aborted;
        return { kind: "unknown", reason: reasonOf(error), down };
      } finally {
        connection?.close();
        await source.cancel().catch(() => {});
      }
    },
  };
}

class UnreadableFile extends Error {}

type Source = ReadableStreamDefaultReader<Uint8Array>;

/** Sends the file, and stops if the server answers before its end. */
async function converse(connection: ByteConnection, source: Source, signal: AbortSignal): Promise<Verdict> {
  const progress = { whole: false };
  const answer = readAnswer(connection.incoming);
  const sent = sendFile(connection, source, progress);
  // A server that has answered and closed makes sending fail, and vice versa.
  const failed = await unlessAborted(
    signal,
    Promise.race([
      answer.then(() => null),
      sent.then(
        () => null,
        (error: unknown) => ({ error }),
      ),
    ]),
  );
  if (failed?.error instanceof UnreadableFile) throw failed.error;
  const verdict = verdictOf(await unlessAborted(signal, answer));
  if (verdict.kind === "clean" && !progress.whole)
    return { kind: "unknown", reason: "it replied before the whole file was sent", down: true };
  return verdict;
}

async function sendFile(
  connection: ByteConnection,
  source: Source,
  progress: { whole: boolean },
): Promise<void> {
  await connection.write(COMMAND);
  for (;;) {
    const { done, value } = await source.read().catch((error: unknown) => {
      throw new UnreadableFile("", { cause: error });
    });
    if (done) break;
    // A chunk of length zero would end the stream.
    if (value.length === 0) continue;
    await connection.write(lengthOf(value));
    await connection.write(value);
  }
  progress.whole = true;
  await connection.write(END_OF_STREAM);
}

function lengthOf(piece: Uint8Array): Uint8Array {
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, piece.length);
  return prefix;
}

async function readAnswer(incoming: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of incoming) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\0")) return text.slice(0, text.indexOf("\0"));
    if (text.length > MAX_REPLY_BYTES) throw new Error("its reply is too long");
  }
  throw new Error("the connection was closed without an answer");
}

function verdictOf(answer: string): Verdict {
  if (answer === "stream: OK") return { kind: "clean" };
  const [, virus] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  // What clamd reports, if configured to, for a file beyond its own limits that it did not scan.
  if (virus?.startsWith("Heuristics.Limits.Exceeded")) return { kind: "unknown", reason: virus, down: false };
  if (virus) return { kind: "infected", virus };
  // A clamd reply that rejects this file: it is too large or cannot be unpacked.
  const failed = answer.endsWith("ERROR");
  return { kind: "unknown", reason: `it answered ${JSON.stringify(answer.slice(0, 200))}`, down: !failed };
}

/** Resolves or rejects like the promise, or rejects with the signal's reason if that comes first. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new Error("it did not answer in time"));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
