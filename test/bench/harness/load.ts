import { connect, type Socket } from "bun";

export type Load = {
  path: string;
  cookie?: string;
  connections?: number;
  milliseconds?: number;
};

export type Answers = { count: number; latencies: number[] };

type Waiting = { left: number; sent: number; head?: Buffer; tail?: string };

/**
 * Keeps `connections` connections busy with the same GET over bare TCP. A full HTTP client in this process would use
 * more of the machine than the measured server.
 * @throws if a response is not a 200 whose end can be seen
 */
export async function generateLoad(origin: string, load: Load): Promise<Answers> {
  const { path, cookie, connections = 16, milliseconds = 600 } = load;
  const { hostname, port, host } = new URL(origin);
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ""}\r\n`,
  );
  const latencies: number[] = [];
  const failed = Promise.withResolvers<never>();
  const started = performance.now();
  const sendRequest = (socket: Socket<Waiting>) => {
    socket.data = { left: -1, sent: performance.now() };
    socket.write(request);
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      connect<Waiting>({
        hostname,
        port: Number(port),
        data: { left: -1, sent: 0 },
        socket: {
          open: sendRequest,
          data(socket, chunk) {
            try {
              take(socket.data, chunk);
            } catch (error) {
              return failed.reject(error);
            }
            if (socket.data.left !== 0) return;
            latencies.push(performance.now() - socket.data.sent);
            if (performance.now() - started < milliseconds) sendRequest(socket);
          },
          error: (_, error) => failed.reject(error),
        },
      }),
    ),
  );
  await Promise.race([Bun.sleep(milliseconds), failed.promise]);
  for (const socket of sockets) socket.end();
  return { count: latencies.length, latencies };
}

const CHUNKED = Number.POSITIVE_INFINITY;
const LAST_CHUNK = "0\r\n\r\n";

/** Counts the remaining bytes of a response; of one in chunks, looks for the last one. */
function take(waiting: Waiting, chunk: Buffer): void {
  if (waiting.left === CHUNKED) {
    const tail =
      (waiting.tail ?? "") + chunk.toString("latin1", Math.max(0, chunk.length - LAST_CHUNK.length));
    waiting.tail = tail.slice(-LAST_CHUNK.length);
    if (waiting.tail === LAST_CHUNK) waiting.left = 0;
    return;
  }
  if (waiting.left >= 0) {
    waiting.left -= chunk.length;
    return;
  }
  const known = waiting.head ? Buffer.concat([waiting.head, chunk]) : chunk;
  const end = known.indexOf("\r\n\r\n");
  if (end < 0) {
    waiting.head = Buffer.from(known);
    return;
  }
  const head = known.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  if ((!length && !isChunked) || !head.startsWith("HTTP/1.1 200"))
    throw new Error(`Unexpected answer: ${head}`);
  waiting.left = isChunked ? CHUNKED : Number(length) - (known.length - end - 4);
  if (isChunked) take(waiting, known.subarray(end + 4));
}
