/** A text message; `to` is E.164. */
export type Sms = { to: string; text: string };

export interface SmsSender {
  /** Resolves once the gateway has accepted the message. @throws DeliveryError */
  send(sms: Sms): Promise<void>;
}
