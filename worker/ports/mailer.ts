export type Mail = {
  /** `Name <address>` or an address. */
  from: string;
  /** One bare address. */
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /** Stable for one notification, with its angle brackets: a second delivery can be told for what it is. */
  messageId: string;
};

export interface Mailer {
  /** Set where mail only goes into a folder, or nowhere: nobody can verify an address by it. */
  readonly localOnly?: boolean;
  /** Resolves once the next server has taken the mail. @throws DeliveryError */
  send(mail: Mail): Promise<void>;
}

/** Why a message was not taken; a permanent failure is not tried again. */
export class DeliveryError extends Error {
  constructor(
    message: string,
    readonly options: {
      permanent: boolean;
      /** No message gets through at present, whatever it is; otherwise this one was refused. */
      outage?: boolean;
      /** The operator has yet to say how to send it. */
      unset?: boolean;
      /** It may have been taken all the same. */
      unclear?: boolean;
      retryAfterSeconds?: number;
    },
  ) {
    super(message);
  }
}
