import { once } from "node:events";
import { createConnection } from "node:net";
import type { Connect } from "../shared/clamd-scanner";

export const connectTcp: Connect = async (server, signal) => {
  const socket = createConnection(server);
  try {
    await once(socket, "connect", { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // Later errors are reported by the pending operation.
  socket.on("error", () => {});
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    incoming: socket,
    close: () => void socket.destroy(),
  };
};
