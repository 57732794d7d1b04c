/** Why a message was not delivered, in English. Clients translate by the key. */
export const DELIVERY_FAILURES = {
  refused: "The message was refused. Please check the address",
  postponed: "The message was put off by the other side",
  unreachable: "The way to the other side is interrupted",
  not_configured: "Nothing is set up to send this kind of message",
  outdated: "It was no longer needed",
  internal: "Something went wrong on our side",
} as const;

export type DeliveryFailure = keyof typeof DELIVERY_FAILURES;
