/** Why a message was not delivered, in English. Clients translate by the key. */
export const DELIVERY_FAILURES = {
  refused: "The message was rejected. Please check the address",
  postponed: "The receiving server asked to try again later",
  unreachable: "The mail or SMS server cannot be reached",
  not_configured: "Sending this kind of message is not configured",
  outdated: "It was no longer needed",
  internal: "Something went wrong on our side",
} as const;

export type DeliveryFailure = keyof typeof DELIVERY_FAILURES;
