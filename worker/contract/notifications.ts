import type { AlertCause } from "./alerts";
import type { DestinationProblem } from "./destinations";
import { type EnvelopeEventKind, REQUEST_EVENTS } from "./envelope-events";
import type { Language, Role, SecondFactor, SignInProvider } from "./options";
import type { ScheduleNews } from "./schedules";

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
  /** What it lists, as of when it is sent. */
  lists: "deletions" | "undelivered" | "submissions" | "news" | null;
  /** What its text or link needs that is in no other row. */
  payload: readonly (keyof PayloadValues)[];
};

/** Of a replaced address and of a member who is removed, the token is null if that cannot be undone. */
export type PayloadValues = {
  token: string | null;
  pending?: 1;
  code: string;
  language: Language;
  /** The address was not proved when the account lost it, see the README of the notifications. */
  unproved?: 1;
  /** The one in which the recipient read the page. */
  receiptLanguage?: Language;
  /** What somebody has added to a reminder. Stays in the row: the recipient's page shows the note. */
  note?: string;
  /** The documents that it names. */
  documentIds?: readonly number[];
  inviter: string | null;
  /** In a mail to an account: it goes to owners of this workspace only. */
  workspaceId: number;
  workspace: string;
  role: Role;
  name?: string;
  actor: string;
  address: string;
  provider: SignInProvider;
  factor: SecondFactor;
  browser: string | null;
  system: string | null;
  host: string;
  document: string;
  /** Of the submissions that a digest tells of. */
  envelopeIds: readonly number[];
  since: string;
  until: string;
  text: string;
  message: string;
  /** Messages to recipients, of `limit` a day. */
  sent: number;
  limit: number;
  cause: AlertCause;
  /** Of a mail about schedules: its first lines, the number of all, and the id of the last. */
  news: readonly ScheduleNews[];
  count: number;
  lastNews: number;
  problem: DestinationProblem;
};

const REQUEST = { audience: "recipient", isRequest: true, lists: null } as const;
const ABOUT_ENVELOPE = { audience: "account", isRequest: false, lists: null } as const;
const TO_ACCOUNT = { ...ABOUT_ENVELOPE, timeline: null } as const;
const TO_ADDRESS = { ...TO_ACCOUNT, audience: "address" } as const;

/** What is sent by e-mail or SMS. `notification-kinds.ts` of the feature has its text, its link and when it is outdated. */
export const NOTIFICATION_KINDS = {
  invitation: { ...REQUEST, timeline: ["sent", "link_replaced"], payload: [] },
  update: { ...REQUEST, timeline: ["updated", "extended"], payload: [] },
  reminder: { ...REQUEST, timeline: REQUEST_EVENTS, payload: ["note", "documentIds"] },
  returned: { ...REQUEST, timeline: ["returned"], payload: [] },
  expiring: { ...REQUEST, timeline: REQUEST_EVENTS, payload: [] },
  receipt: {
    audience: "recipient",
    isRequest: false,
    timeline: ["submitted"],
    lists: null,
    payload: ["receiptLanguage"],
  },
  submission: { ...ABOUT_ENVELOPE, timeline: ["submitted"], payload: ["text"] },
  message: { ...ABOUT_ENVELOPE, timeline: ["messaged"], payload: ["text"] },
  expired: { ...ABOUT_ENVELOPE, timeline: ["expired"], payload: [] },
  infected: { ...ABOUT_ENVELOPE, timeline: ["infected"], payload: ["document"] },
  deletion: { ...TO_ACCOUNT, lists: "deletions", payload: ["workspaceId"] },
  undelivered: { ...TO_ACCOUNT, lists: "undelivered", payload: ["since", "until"] },
  digest: { ...TO_ACCOUNT, lists: "submissions", payload: ["envelopeIds"] },
  not_sent: { ...TO_ACCOUNT, lists: "news", payload: ["news", "count", "lastNews"] },
  renewed: { ...TO_ACCOUNT, lists: "news", payload: ["news", "count", "lastNews"] },
  webhook_off: { ...TO_ACCOUNT, payload: ["workspaceId", "host"] },
  webhooks_off: { ...TO_ACCOUNT, payload: ["workspaceId", "workspace", "name"] },
  destination_problem: { ...TO_ACCOUNT, payload: ["workspaceId", "workspace", "name", "problem", "text"] },
  verification: { ...TO_ADDRESS, payload: ["token"] },
  password_reset: { ...TO_ADDRESS, payload: ["token"] },
  account_created: { ...TO_ADDRESS, payload: ["token"] },
  confirmation_code: { ...TO_ADDRESS, payload: ["code"] },
  sign_in_link_made: { ...TO_ADDRESS, payload: [] },
  two_factor_reset: { ...TO_ADDRESS, payload: [] },
  password_changed: { ...TO_ADDRESS, payload: [] },
  new_sign_in: { ...TO_ADDRESS, payload: ["browser", "system", "address"] },
  email_changed: { ...TO_ADDRESS, payload: ["token", "pending", "unproved"] },
  email_claimed: { ...TO_ADDRESS, payload: ["token"] },
  email_released: { ...TO_ADDRESS, payload: ["address"] },
  provider_unlinked: { ...TO_ADDRESS, payload: ["provider", "name"] },
  provider_linked: { ...TO_ADDRESS, payload: ["provider", "name"] },
  factor_added: { ...TO_ADDRESS, payload: ["factor"] },
  factor_removed: { ...TO_ADDRESS, payload: ["factor"] },
  recovery_codes_renewed: { ...TO_ADDRESS, payload: ["factor"] },
  recovery_code_used: { ...TO_ADDRESS, payload: ["factor"] },
  account_deleted: { ...TO_ADDRESS, payload: ["language", "unproved"] },
  account_invitation: { ...TO_ADDRESS, payload: ["token", "language", "inviter"] },
  workspace_invitation: {
    ...TO_ADDRESS,
    payload: ["token", "language", "workspaceId", "workspace", "role", "inviter"],
  },
  member_joined: { ...TO_ACCOUNT, payload: ["workspaceId", "workspace", "name"] },
  member_removed: { ...TO_ACCOUNT, payload: ["workspace", "name", "token"] },
  made_owner: { ...TO_ACCOUNT, payload: ["workspaceId", "workspace", "name"] },
  owner_demoted: { ...TO_ACCOUNT, payload: ["workspace", "name", "token"] },
  owner_restored: { ...TO_ACCOUNT, payload: ["workspace", "name", "actor"] },
  workspace_deleted: { ...TO_ACCOUNT, payload: ["workspace", "name"] },
  sending_limit: { ...TO_ACCOUNT, payload: ["sent", "limit"] },
  alert: { ...TO_ACCOUNT, payload: ["cause", "since"] },
  alert_over: { ...TO_ACCOUNT, payload: ["cause", "since"] },
  support: { ...TO_ACCOUNT, audience: "operator", payload: ["message"] },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** The kinds that say what the envelope is now: a later change replaces them. */
export const UPDATES = ["invitation", "update"] as const satisfies NotificationKind[];
export type UpdateKind = (typeof UPDATES)[number];

/** What a new message of this kind is stored with. */
export type PayloadOf<Name extends NotificationKind> = Pick<
  PayloadValues,
  (typeof NOTIFICATION_KINDS)[Name]["payload"][number]
>;

/**
 * What a row still has: everything goes once it is sent. `maybeSent` marks one that may have been delivered, `released` is
 * how often it was made due after an outage, `more` the number of further events that it reports.
 */
export type NotificationPayload = Partial<PayloadValues> & {
  maybeSent?: 1;
  released?: number;
  more?: number;
};

/** The kinds with this property. */
type KindsWith<Property> = {
  [Name in NotificationKind]: (typeof NOTIFICATION_KINDS)[Name] extends Property ? Name : never;
}[NotificationKind];

export type RecipientKind = KindsWith<{ audience: "recipient" }>;
export type RequestKind = KindsWith<{ isRequest: true }>;
export type TimelineMessage = KindsWith<{ timeline: readonly EnvelopeEventKind[] }>;

export const isRequestKind = (kind: NotificationKind): kind is RequestKind =>
  NOTIFICATION_KINDS[kind].isRequest;
export const REQUEST_KINDS = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter(isRequestKind);
export const isInTimeline = (kind: NotificationKind): kind is TimelineMessage =>
  NOTIFICATION_KINDS[kind].timeline !== null;
/** Whether it goes to an envelope's recipient, on behalf of the account. */
export const isForRecipient = (kind: NotificationKind): kind is RecipientKind =>
  NOTIFICATION_KINDS[kind].audience === "recipient";
/** Whether it goes to the account, at the address that it has when the message is sent. */
export const isForAccount = (kind: NotificationKind): boolean =>
  NOTIFICATION_KINDS[kind].audience === "account";

/** Those with a link that ends when the message fails for good. */
export const KINDS_WITH_TOKEN = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) =>
  NOTIFICATION_KINDS[kind].payload.some((value) => value === "token"),
);

/** Why a message was not delivered, in English. Clients translate by the key. */
export const DELIVERY_FAILURES = {
  refused: "The message was rejected. Please check the address",
  postponed: "The receiving server asked to try again later",
  unreachable: "The mail or SMS server cannot be reached",
  not_configured: "Sending this kind of message is not configured",
  unsubscribed: "The recipient does not want emails from you",
  unverified: "Your email address is not verified",
  sms_country: "Text messages to this country are not possible here",
  outdated: "It was no longer needed",
  digest: "It is told of together with others",
  internal: "Something went wrong on our side",
} as const;

export type DeliveryFailure = keyof typeof DELIVERY_FAILURES;

/** Why a message failed for good; for the other reasons, it was cancelled. */
export type FinalFailure = Exclude<
  DeliveryFailure,
  "unsubscribed" | "unverified" | "sms_country" | "outdated" | "digest"
>;
