import { connect, createServer, type Socket } from "node:net";

/** A proxy to a server that can be interrupted, and redirected to another server. */
export type CuttableProxy = {
  url: string;
  /** How many connections were accepted so far. */
  accepted: () => number;
  /** Breaks every connection, and rejects new ones. */
  cut: () => void;
  /** Does so once clients have sent so many bytes more. */
  cutAfter: (bytes: number) => void;
  /** Accepts connections, to the server at `url` if given. Before the first call, none is accepted. */
  restore: (url?: string) => void;
  stop: () => void;
};

export async function startCuttableProxy(): Promise<CuttableProxy> {
  const open = new Set<Socket>();
  let port = 0;
  let broken = true;
  let bytesLeft = Number.POSITIVE_INFINITY;
  let accepted = 0;
  const server = createServer((client) => {
    if (broken) return client.destroy();
    accepted += 1;
    const upstream = connect(port, "localhost");
    const end = () => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        open.delete(socket);
      }
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("close", end).on("error", end);
    }
    client.pipe(upstream).pipe(client);
    client.on("data", ({ length }) => {
      bytesLeft -= length;
      if (bytesLeft <= 0) breakAll();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The proxy has no port");
  const breakAll = () => {
    broken = true;
    bytesLeft = Number.POSITIVE_INFINITY;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${address.port}`,
    accepted: () => accepted,
    cut: breakAll,
    cutAfter(bytes) {
      bytesLeft = bytes;
    },
    restore(url) {
      if (url) port = Number(new URL(url).port);
      broken = false;
    },
    stop() {
      breakAll();
      server.close();
    },
  };
}
