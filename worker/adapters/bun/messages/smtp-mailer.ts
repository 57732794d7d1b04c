import { withDeadline } from "../../../lib/retry";
import { DeliveryError, type Mailer } from "../../../ports/mailer";
import { mimeMail } from "./mime-mail";

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
const DELIVERY_TIMEOUT_MS = 60_000;

const TIMEOUTS = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  dnsTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: IDLE_TIMEOUT_MS,
};

/** Rejections of this recipient or message. A rejected sign-in is a configuration error instead. */
const MESSAGE_ERRORS = new Set(["EENVELOPE", "EMESSAGE"]);

/** Sends mail through the SMTP server at `url` (`smtp://user:password@host:port`), with one connection per mail. */
export function createSmtpMailer(options: { url: string; deliveryMs?: number }): Mailer {
  return {
    async send(mail) {
      const progress = watchProgress();
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ url: options.url, ...TIMEOUTS, logger: progress.logger });
      const sending = transport.sendMail(mimeMail(mail));
      await inTime(sending, options.deliveryMs ?? DELIVERY_TIMEOUT_MS).catch((error: unknown) => {
        throw toDeliveryError(error, progress.sentBytes());
      });
    },
  };
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
  const ignore = () => {};
  const info = (line: { tnx?: string }) => {
    if (line.tnx === "message") sentBytes = true;
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
  return { logger, sentBytes: () => sentBytes };
}

/** A server that sends a byte now and then never reaches the idle timeout, so there is a total timeout as well. */
const inTime = (work: Promise<unknown>, milliseconds: number) =>
  withDeadline(work, milliseconds, () => new Error(`no answer in ${milliseconds / 1000} seconds`));

function toDeliveryError(error: unknown, sentBytes: boolean): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  // 421: the server is shutting down, whatever the command was.
  const rejected = MESSAGE_ERRORS.has(code ?? "") && responseCode !== undefined && responseCode !== 421;
  return new DeliveryError(`SMTP: ${message}`, {
    permanent: rejected && responseCode >= 500,
    outage: !rejected && !sentBytes,
    unclear: sentBytes && responseCode === undefined,
  });
}
