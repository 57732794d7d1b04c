export type WebhookMessage = { url: string; headers: Record<string, string>; body: string };
/** The receiver's response: its status, and the beginning of its body. */
export type WebhookResponse = { statusCode: number; response: string };

/** Why there was no response from the receiver. */
export class WebhookError extends Error {
  constructor(
    readonly reason: "timeout" | "unreachable" | "address",
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export interface WebhookSender {
  /** How many messages can be sent concurrently. */
  readonly slots: number;
  /** Posts a message. Follows no redirect and reaches no private address. @throws WebhookError */
  send(message: WebhookMessage): Promise<WebhookResponse>;
}
