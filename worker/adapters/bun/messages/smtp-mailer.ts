import { withDeadline } from "../../../lib/retry";
import { DeliveryError, type Mail, type Mailer } from "../../../ports/mailer";
import { mimeMail } from "./mime-mail";

const CONNECT_TIMEOUT_MS = 10_000;
const DELIVERY_TIMEOUT_MS = 60_000;
/** A server that scans a mail before it answers may take this long (RFC 5321, 4.5.3.2.6); a repeated mail would be a copy. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

const TIMEOUTS = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  dnsTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: ANSWER_TIMEOUT_MS,
};

/** Rejections of this recipient or message. A rejected sign-in is a configuration error instead. */
const MESSAGE_ERRORS = new Set(["EENVELOPE", "EMESSAGE"]);

/** A connection that was idle for so long is closed. Servers wait for minutes, but other clients may wait for them. */
const KEPT_MS = 1000;
/** Servers close a connection after many mails. */
const MAILS_OF_A_CONNECTION = 50;

/** `deliveryMs` until the whole mail is sent, and `answerMs` from then on. */
type Settings = { url: string; deliveryMs?: number; answerMs?: number };
type SmtpError = Error & { code?: string; responseCode?: number };

/**
 * Sends mail through the SMTP server at `url` (`smtp://user:password@host:port`). Mails that follow each other share a
 * connection: opening one takes longer than a mail, and servers limit how many are opened.
 */
export function createSmtpMailer({
  url,
  deliveryMs = DELIVERY_TIMEOUT_MS,
  answerMs = ANSWER_TIMEOUT_MS,
}: Settings): Mailer {
  const idle: Connection[] = [];
  return {
    timeoutMs: deliveryMs + answerMs,
    send: (mail) => send(mail, performance.now() + deliveryMs),
  };

  async function send(mail: Mail, endsAt: number): Promise<void> {
    const used = idle.pop();
    const connection = used ?? (await openConnection(url));
    const allSent = connection.watchMail();
    try {
      const sending = connection.transport.sendMail(mimeMail(mail));
      await inTime(Promise.race([sending, allSent]), endsAt - performance.now());
      await inTime(sending, answerMs);
      idle.push(connection);
    } catch (error) {
      const sentBytes = connection.sentBytes();
      // What is still under way must not arrive after it was given up.
      connection.transport.close({ force: true });
      if (used && !sentBytes && isClosed(error as SmtpError)) return send(mail, endsAt);
      throw toDeliveryError(error, sentBytes);
    }
  }
}

/** The server has ended the connection since the last mail, or says (421) that it does, perhaps after a number of mails. */
const isClosed = ({ code, responseCode }: SmtpError) =>
  responseCode === 421 || code === "ECONNECTION" || code === "ESOCKET";

/** For one mail at a time. It is opened by a mail, closed when it is idle, and opened again by the next one. */
type Connection = Awaited<ReturnType<typeof openConnection>>;

async function openConnection(url: string) {
  const { createTransport } = await import("nodemailer");
  const { logger, ...progress } = watchProgress();
  const transport = createTransport({
    ...{ url, ...TIMEOUTS, logger },
    ...{ pool: true, maxConnections: 1, maxMessages: MAILS_OF_A_CONNECTION, idleTimeout: KEPT_MS },
    maxRequeues: 0,
  });
  return { ...progress, transport };
}

/** Connects to the server at `url` and signs in without sending anything. @throws if either fails */
export async function verifySmtpServer(url: string): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ url, ...TIMEOUTS });
  try {
    await inTime(transport.verify(), DELIVERY_TIMEOUT_MS);
  } finally {
    transport.close();
  }
}

/** The library's errors do not say whether the server had received the whole mail; its log lines do. */
function watchProgress() {
  let sentBytes = false;
  let allSent = Promise.withResolvers<void>();
  const ignore = () => {};
  const info = (line: { tnx?: string }) => {
    if (line.tnx !== "message") return;
    sentBytes = true;
    allSent.resolve();
  };
  const logger = {
    level: ignore,
    trace: ignore,
    debug: ignore,
    info,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };
  return {
    logger,
    sentBytes: () => sentBytes,
    /** Begins with the next mail. Resolves once the whole of it was sent. */
    watchMail() {
      sentBytes = false;
      allSent = Promise.withResolvers();
      return allSent.promise;
    },
  };
}

/** A server that sends a byte now and then never reaches the idle timeout, so there is a total timeout as well. */
const inTime = (work: Promise<unknown>, milliseconds: number) =>
  withDeadline(
    work,
    milliseconds,
    () => new Error(`no answer in ${Math.round(milliseconds / 1000)} seconds`),
  );

function toDeliveryError(error: unknown, sentBytes: boolean): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { message, code, responseCode } = error as SmtpError;
  const rejected = MESSAGE_ERRORS.has(code ?? "") && responseCode !== undefined;
  return new DeliveryError(`SMTP: ${message}`, {
    permanent: rejected && responseCode >= 500,
    outage: !rejected && !sentBytes,
    answered: rejected,
    unclear: sentBytes && responseCode === undefined,
  });
}
