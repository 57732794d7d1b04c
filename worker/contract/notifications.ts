import { type EnvelopeEventKind, REQUEST_EVENTS } from "./envelope-events";
import type { Language, Role, SecondFactor, SignInProvider } from "./options";

export const CHANNELS = ["email", "sms"] as const;
export type Channel = (typeof CHANNELS)[number];

export const NOTIFICATION_STATUSES = ["queued", "sent", "failed", "cancelled"] as const;

/** Of an envelope's last invitation, update or reminder: sent, waiting for an attempt, or failed for good. */
export const DELIVERIES = ["ok", "pending", "failed"] as const;
export type Delivery = (typeof DELIVERIES)[number];

type Kind = {
  /**
   * The reader: an envelope's recipient, written to on behalf of the account; the account, at the address that it has
   * when the message is sent; the owner of the address that it was queued for; or the operator, in English.
   */
  audience: "recipient" | "account" | "address" | "operator";
  /** Whether it asks the recipient for documents, so that it is sent only while the envelope is open. */
  isRequest: boolean;
  /** The events that it may be about: the timeline shows it with the last of them. Null if it is not part of a timeline. */
  timeline: readonly EnvelopeEventKind[] | null;
  /** What its text or link needs that is in no other row. */
  payload: readonly (keyof PayloadValues)[];
};

/** Of an address that is replaced, the token is null if the change cannot be undone. */
type PayloadValues = {
  token: string | null;
  pending?: 1;
  code: string;
  language: Language;
  /** The one in which the recipient read the page. */
  receiptLanguage?: Language;
  inviter: string | null;
  workspaceId: number;
  workspace: string;
  role: Role;
  name?: string;
  address: string;
  provider: SignInProvider;
  factor: SecondFactor;
  browser: string | null;
  system: string | null;
  host: string;
  document: string;
  since: string;
  until: string;
  text: string;
  message: string;
};

/** What is sent by e-mail or SMS. `notification-kinds.ts` of the feature has its text, its link and when it is outdated. */
export const NOTIFICATION_KINDS = {
  invitation: { audience: "recipient", isRequest: true, timeline: ["sent"], payload: [] },
  update: { audience: "recipient", isRequest: true, timeline: ["updated", "extended"], payload: [] },
  reminder: { audience: "recipient", isRequest: true, timeline: REQUEST_EVENTS, payload: [] },
  returned: { audience: "recipient", isRequest: true, timeline: ["returned"], payload: [] },
  expiring: { audience: "recipient", isRequest: true, timeline: REQUEST_EVENTS, payload: [] },
  receipt: { audience: "recipient", isRequest: false, timeline: ["submitted"], payload: ["receiptLanguage"] },
  submission: { audience: "account", isRequest: false, timeline: ["submitted"], payload: [] },
  message: { audience: "account", isRequest: false, timeline: ["messaged"], payload: ["text"] },
  expired: { audience: "account", isRequest: false, timeline: ["expired"], payload: [] },
  infected: { audience: "account", isRequest: false, timeline: ["infected"], payload: ["document"] },
  deletion: { audience: "account", isRequest: false, timeline: null, payload: ["workspaceId"] },
  undelivered: { audience: "account", isRequest: false, timeline: null, payload: ["since", "until"] },
  webhook_off: { audience: "account", isRequest: false, timeline: null, payload: ["host"] },
  verification: { audience: "address", isRequest: false, timeline: null, payload: ["token"] },
  password_reset: { audience: "address", isRequest: false, timeline: null, payload: ["token"] },
  confirmation_code: { audience: "address", isRequest: false, timeline: null, payload: ["code"] },
  sign_in_link_made: { audience: "address", isRequest: false, timeline: null, payload: [] },
  two_factor_reset: { audience: "address", isRequest: false, timeline: null, payload: [] },
  password_changed: { audience: "address", isRequest: false, timeline: null, payload: [] },
  new_sign_in: {
    audience: "address",
    isRequest: false,
    timeline: null,
    payload: ["browser", "system", "address"],
  },
  email_changed: { audience: "address", isRequest: false, timeline: null, payload: ["token", "pending"] },
  email_claimed: { audience: "address", isRequest: false, timeline: null, payload: ["token"] },
  email_released: { audience: "address", isRequest: false, timeline: null, payload: ["address"] },
  provider_unlinked: {
    audience: "address",
    isRequest: false,
    timeline: null,
    payload: ["provider", "name"],
  },
  provider_linked: {
    audience: "address",
    isRequest: false,
    timeline: null,
    payload: ["provider", "name"],
  },
  factor_added: { audience: "address", isRequest: false, timeline: null, payload: ["factor"] },
  factor_removed: { audience: "address", isRequest: false, timeline: null, payload: ["factor"] },
  recovery_codes_renewed: { audience: "address", isRequest: false, timeline: null, payload: ["factor"] },
  recovery_code_used: { audience: "address", isRequest: false, timeline: null, payload: ["factor"] },
  account_deleted: { audience: "address", isRequest: false, timeline: null, payload: ["language"] },
  account_invitation: {
    audience: "address",
    isRequest: false,
    timeline: null,
    payload: ["token", "language", "inviter"],
  },
  workspace_invitation: {
    audience: "address",
    isRequest: false,
    timeline: null,
    payload: ["token", "language", "workspaceId", "workspace", "role", "inviter"],
  },
  member_joined: { audience: "account", isRequest: false, timeline: null, payload: ["workspace", "name"] },
  member_removed: { audience: "account", isRequest: false, timeline: null, payload: ["workspace", "name"] },
  made_owner: { audience: "account", isRequest: false, timeline: null, payload: ["workspace", "name"] },
  support: { audience: "operator", isRequest: false, timeline: null, payload: ["message"] },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** What a new message of this kind is stored with. */
export type PayloadOf<Name extends NotificationKind> = Pick<
  PayloadValues,
  (typeof NOTIFICATION_KINDS)[Name]["payload"][number]
>;

/** What a row still has: everything goes once it is sent. `maybeSent` marks one that may have been delivered. */
export type NotificationPayload = Partial<PayloadValues> & { maybeSent?: 1 };

/** The kinds with this property. */
type KindsWith<Property> = {
  [Name in NotificationKind]: (typeof NOTIFICATION_KINDS)[Name] extends Property ? Name : never;
}[NotificationKind];

export type RecipientKind = KindsWith<{ audience: "recipient" }>;
export type RequestKind = KindsWith<{ isRequest: true }>;
export type TimelineMessage = KindsWith<{ timeline: readonly EnvelopeEventKind[] }>;

export const isRequestKind = (kind: NotificationKind): kind is RequestKind =>
  NOTIFICATION_KINDS[kind].isRequest;
export const isInTimeline = (kind: NotificationKind): kind is TimelineMessage =>
  NOTIFICATION_KINDS[kind].timeline !== null;
/** Whether it goes to an envelope's recipient, on behalf of the account. */
export const isForRecipient = (kind: NotificationKind): kind is RecipientKind =>
  NOTIFICATION_KINDS[kind].audience === "recipient";
/** Whether it goes to the account, at the address that it has when the message is sent. */
export const isForAccount = (kind: NotificationKind): boolean =>
  NOTIFICATION_KINDS[kind].audience === "account";

/** Why a message was not delivered, in English. Clients translate by the key. */
export const DELIVERY_FAILURES = {
  refused: "The message was rejected. Please check the address",
  postponed: "The receiving server asked to try again later",
  unreachable: "The mail or SMS server cannot be reached",
  not_configured: "Sending this kind of message is not configured",
  unsubscribed: "The recipient does not want mails from you",
  unverified: "Your email address is not verified, so no text messages are sent",
  outdated: "It was no longer needed",
  internal: "Something went wrong on our side",
} as const;

export type DeliveryFailure = keyof typeof DELIVERY_FAILURES;

/** Why a message failed for good; for the other reasons, it was cancelled. */
export type FinalFailure = Exclude<DeliveryFailure, "unsubscribed" | "unverified" | "outdated">;
