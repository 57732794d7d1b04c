import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { SAMPLE } from "../../../worker/features/files/scanning";

/** Ways in which a scanner may misbehave. */
export type ClamdFault =
  | "silent"
  | "deaf"
  | "garbage"
  | "endless"
  | "breaks off"
  | "failing"
  | "hasty"
  | "limited";

/** The size in bytes from which a file is too large, like clamd's StreamMaxLength. */
export const STREAM_MAX = 1024 * 1024;

/** The harmless text that every scanner reports as a virus; assembled here so that no scanner reports this file. */
export const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS", "-TEST-FILE!$H+H*"].join(
  "",
);
export const VIRUS = "Doculopes.Test";

export type ClamdServer = {
  url: string;
  /** Bytes of files received so far. */
  received(): number;
  /** How it misbehaves from now on; undefined for correct responses. Open connections are dropped. */
  misbehave(fault: ClamdFault | undefined): void;
  /** Sends no response, except to the schedule's sample, until it is resumed. `waiting` resolves once a file is waiting for its response. */
  pause(): { waiting: Promise<void>; resume(): void };
  /** Rejects connections, or accepts them again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
};

/** A substitute for clamd that implements INSTREAM on its own port and misbehaves on command. */
export async function startClamdServer(): Promise<ClamdServer> {
  const sockets = new Set<Socket>();
  let fault: ClamdFault | undefined;
  let received = 0;
  let gate: { waiting(): void; opened: Promise<void> } | undefined;
  let server: Server;
  let port = 0;
  let emptied = Promise.withResolvers<void>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) {
        emptied.resolve();
        emptied = Promise.withResolvers();
      }
    });
    // Connected, but no longer read from.
    if (fault === "deaf") return socket.pause();
    const watch = {
      count: (bytes: number) => {
        received += bytes;
      },
      read: async () => {
        gate?.waiting();
        await gate?.opened;
      },
    };
    void answer(socket, fault, watch).catch(() => socket.destroy());
  };
  const clamd: ClamdServer = {
    get url() {
      return `tcp://127.0.0.1:${port}`;
    },
    received: () => received,
    misbehave(next) {
      fault = next;
      for (const socket of sockets) socket.destroy();
    },
    pause() {
      const waiting = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      gate = { waiting: waiting.resolve, opened: opened.promise };
      const resume = () => {
        gate = undefined;
        opened.resolve();
      };
      return { waiting: waiting.promise, resume };
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
    async start() {
      server = createServer(serve).listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
    },
    idle: async () => {
      if (sockets.size > 0) await emptied.promise;
    },
  };
  await clamd.start();
  return clamd;
}

type Watch = { count(bytes: number): void; read(): Promise<void> };

async function answer(socket: Socket, fault: ClamdFault | undefined, { count, read }: Watch) {
  const early = fault === "breaks off" || fault === "hasty";
  const file = await readFile(socket, early ? 1 : STREAM_MAX, count);
  if (!file?.includes(SAMPLE)) await read();
  if (fault === "silent") return;
  if (fault === "breaks off") return socket.destroy();
  if (fault === "endless") return socket.write("stream: ".padEnd(100_000, "x"));
  socket.end(`${replyTo(file, fault)}\0`);
}

function replyTo(file: Buffer | null, fault: ClamdFault | undefined): string {
  if (fault === "hasty") return "stream: OK";
  if (fault === "limited") return "stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND";
  if (fault === "garbage") return "220 mail.example.com ESMTP";
  if (fault === "failing") return "stream: Can't allocate memory ERROR";
  if (!file) return "INSTREAM size limit exceeded. ERROR";
  return file.includes(EICAR) ? `stream: ${VIRUS} FOUND` : "stream: OK";
}

/** The chunks of one file, each after its length; null as soon as they exceed `limit`. */
async function readFile(
  socket: Socket,
  limit: number,
  count: (bytes: number) => void,
): Promise<Buffer | null> {
  let waiting = Buffer.alloc(0);
  let command = false;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    waiting = Buffer.concat([waiting, chunk]);
    if (!command) {
      const end = waiting.indexOf(0);
      if (end < 0) continue;
      if (waiting.subarray(0, end).toString() !== "zINSTREAM") throw new Error("Not INSTREAM");
      waiting = waiting.subarray(end + 1);
      command = true;
    }
    while (waiting.length >= 4) {
      const length = waiting.readUInt32BE(0);
      if (length === 0) return Buffer.concat(chunks);
      if (waiting.length < 4 + length) break;
      chunks.push(waiting.subarray(4, 4 + length));
      waiting = waiting.subarray(4 + length);
      size += length;
      count(length);
      if (size > limit) return null;
    }
  }
  throw new Error("The file has no end");
}
