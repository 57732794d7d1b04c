import type { FileScanner, Verdict } from "../../ports/file-store";

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
  const progress: Progress = { whole: false, ended: false };
  try {
    return await exchange(connection, source, { signal, progress });
  } catch (error) {
    if (error instanceof UnreadableFile || signal.aborted || progress.ended) throw error;
    // clamd answers a file beyond its limit and closes; the reply may be lost with the connection.
    const reason = `it closed the connection before the file's end was sent (${reasonOf(error)})`;
    throw new Error(`${reason}: the file may be larger than StreamMaxLength in its settings`);
  }
}

/** Whether the file's last byte was sent, and whether the mark of its end was too. */
type Progress = { whole: boolean; ended: boolean };
type Exchange = { signal: AbortSignal; progress: Progress };

async function exchange(
  connection: ByteConnection,
  source: Source,
  { signal, progress }: Exchange,
): Promise<Verdict> {
  const reply = readReply(connection.incoming);
  const sent = sendFile(connection, source, progress);
  // A server that has answered and closed makes sending fail, and vice versa.
  const failed = await unlessAborted(
    signal,
    Promise.race([
      reply.then(() => null),
      sent.then(
        () => null,
        (error: unknown) => ({ error }),
      ),
    ]),
  );
  if (failed?.error instanceof UnreadableFile) throw failed.error;
  const verdict = verdictOf(await unlessAborted(signal, reply));
  if (verdict.kind === "clean" && !progress.whole)
    return { kind: "unknown", reason: "it replied before the whole file was sent", down: true };
  return verdict;
}

async function sendFile(connection: ByteConnection, source: Source, progress: Progress): Promise<void> {
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
  progress.ended = true;
}

function lengthOf(chunk: Uint8Array): Uint8Array {
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, chunk.length);
  return prefix;
}

async function readReply(incoming: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of incoming) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\0")) return text.slice(0, text.indexOf("\0"));
    if (text.length > MAX_REPLY_BYTES) throw new Error("its reply is too long");
  }
  throw new Error("the connection was closed without a reply");
}

function verdictOf(reply: string): Verdict {
  if (reply === "stream: OK") return { kind: "clean" };
  const [, virus] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  // What clamd reports, if configured to, for a file beyond its own limits that it did not scan.
  if (virus?.startsWith("Heuristics.Limits.Exceeded")) return beyondLimits(virus);
  if (virus) return { kind: "infected", virus };
  if (/^INSTREAM size limit exceeded/.test(reply)) return beyondLimits(reply);
  // A clamd reply that rejects this file, such as one that it cannot unpack.
  const failed = reply.endsWith("ERROR");
  return { kind: "unknown", reason: `it answered ${JSON.stringify(reply.slice(0, 200))}`, down: !failed };
}

const beyondLimits = (reply: string): Verdict => ({
  kind: "unknown",
  reason: `the file is larger than clamd's settings allow (${reply}): raise StreamMaxLength, MaxFileSize and MaxScanSize there`,
  down: false,
});

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
