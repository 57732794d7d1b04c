import { startSmtpServer } from "../../support/servers/smtp-server";

/** A mail server that reads mails only: parsing a hundred thousand would take as long as sending them. */
export async function startSink() {
  const { url, close } = await startSmtpServer({
    onData(stream, _session, callback) {
      stream.resume();
      stream.on("end", callback);
    },
  });
  return { url: `${url}?ignoreTLS=true`, close };
}
