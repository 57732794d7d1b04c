import { connect } from "cloudflare:sockets";
import type { Connect } from "../shared/clamd-scanner";

export const connectTcp: Connect = async ({ host, port }, signal) => {
  const socket = connect({ hostname: host, port });
  const close = () => void socket.close().catch(() => {});
  signal.addEventListener("abort", close);
  try {
    await socket.opened;
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
  const writer = socket.writable.getWriter();
  return { write: (bytes) => writer.write(bytes), incoming: socket.readable, close };
};
