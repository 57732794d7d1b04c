import { createTransport } from "nodemailer";
import { DeliveryError, type Mailer } from "../../ports/mailer";
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

/** Refusals of this recipient or this message; a refused sign-in is the operator's to mend. */
const MESSAGE_ERRORS = new Set(["EENVELOPE", "EMESSAGE"]);

/** Hands mail to the SMTP server of `url` (`smtp://user:password@host:port`), a connection for each. */
export function createSmtpMailer(options: { url: string; deliveryMs?: number }): Mailer {
  return {
    async send(mail) {
      const progress = watchProgress();
      const transport = createTransport({ url: options.url, ...TIMEOUTS, logger: progress.logger });
      const sending = transport.sendMail(mimeMail(mail));
      await withDeadline(sending, options.deliveryMs ?? DELIVERY_TIMEOUT_MS).catch((error: unknown) => {
        throw toDeliveryError(error, progress.handedOver());
      });
    },
  };
}

/** Connects to the server of `url` and signs in, and sends nothing. Fails where either does not work. */
export async function verifySmtpServer(url: string): Promise<void> {
  const transport = createTransport({ url, ...TIMEOUTS });
  try {
    await withDeadline(transport.verify(), DELIVERY_TIMEOUT_MS);
  } finally {
    transport.close();
  }
}

/** The library's errors do not tell whether the server had the whole mail by then; its log lines do. */
function watchProgress() {
  let handedOver = false;
  const ignore = () => {};
  const info = (line: { tnx?: string }) => {
    if (line.tnx === "message") handedOver = true;
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
  return { logger, handedOver: () => handedOver };
}

/** A server that answers a byte now and then never runs into the silence limit. */
async function withDeadline(work: Promise<unknown>, ms: number): Promise<void> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(`no answer in ${ms / 1000} seconds`)), ms);
  try {
    await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

function toDeliveryError(error: unknown, handedOver: boolean): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  // 421: the server is closing, whatever it was asked.
  const refused = MESSAGE_ERRORS.has(code ?? "") && responseCode !== undefined && responseCode !== 421;
  return new DeliveryError(`SMTP: ${message}`, {
    permanent: refused && responseCode >= 500,
    outage: !refused && !handedOver,
    unclear: handedOver && responseCode === undefined,
  });
}
