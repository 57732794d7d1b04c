import type { Language } from "../contract/options";

/** An image that the HTML shows by `cid:` and its content id. It is part of the mail. */
export type InlineImage = { contentId: string; fileName: string; mimeType: string; base64: string };

export type Mail = {
  /** `Name <address>` or an address. */
  from: string;
  /** One bare address. */
  to: string;
  replyTo?: string;
  subject: string;
  /** A POST to it stops mails of this kind (RFC 8058), a GET shows a page. */
  unsubscribeUrl?: string;
  text: string;
  html: string;
  images: readonly InlineImage[];
  /** With angle brackets. The same for every attempt of a notification, so that duplicates can be detected. */
  messageId: string;
};

export interface Mailer {
  /** Set if mail is only written to a folder, or not sent at all: then nobody can verify an address. */
  readonly localOnly?: boolean;
  /** How long the server may take for a mail; about a minute by default. */
  readonly timeoutMs?: number;
  /** Resolves once the next server has accepted the mail. @throws DeliveryError */
  send(mail: Mail): Promise<void>;
}

/** Why a message was not accepted. A permanent failure is not retried. */
export class DeliveryError extends Error {
  constructor(
    message: string,
    readonly options: {
      permanent: boolean;
      /** The whole channel is down; otherwise only this message was rejected. */
      outage?: boolean;
      /** The server has answered about this message, so it is up. */
      answered?: boolean;
      /** The operator has not configured this channel. */
      unset?: boolean;
      /** The message may have been accepted nevertheless. */
      unclear?: boolean;
      retryAfterSeconds?: number;
    },
  ) {
    super(message);
  }
}

/**
 * Loads the texts of messages in a language: `locales/<language>/mail.json`. Those of all languages would be a tenth of a
 * Worker's script.
 */
export type LoadMailTexts = (language: Language) => Promise<object>;

/** Loads the messages of errors in a language, by their codes: `locales/<language>/errors.json`. */
export type LoadErrorTexts = (language: Language) => Promise<Readonly<Record<string, unknown>>>;
