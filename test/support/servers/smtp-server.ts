import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { ReceivedMail } from "../../contract/mailer-suite";
import { parseMail } from "./received-mail";

export type TestSmtpServer = {
  url: string;
  /** The mails since the last call. */
  received(): Promise<ReceivedMail[]>;
  /** Shows each connection's socket, to break it. */
  onConnection(listener: (socket: Socket) => void): void;
  close(): Promise<void>;
};

/** A real SMTP server on a free port. `options` can make it reject. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const mails: Promise<ReceivedMail>[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(parseMail(Buffer.concat(chunks), recipients));
        callback();
      });
    },
    ...options,
  });
  smtp.on("error", () => {});
  const open = new Set<Socket>();
  smtp.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: async () => Promise.all(mails.splice(0)),
    onConnection: (listener) => void smtp.server.on("connection", listener),
    async close() {
      const closed = new Promise<void>((resolve) => smtp.close(() => resolve()));
      // Clients keep theirs for a while.
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
