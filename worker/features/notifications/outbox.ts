import type { Database, Statement } from "../../../db/client";
import { type Condition, onlyWhile } from "../../../db/queries/guard";
import { assigneeOf } from "../../../db/queries/handovers";
import {
  accountEmail,
  insertForWatchers,
  insertNotification,
  type NewNotification,
  recipientEmail,
} from "../../../db/queries/notifications";
import { pendingEnvelopeKey } from "../../../db/queries/submissions";
import type { User } from "../../../db/queries/users";
import {
  CHANNELS,
  type Channel,
  type NotificationKind,
  type PayloadOf,
  type RequestKind,
} from "../../contract/notifications";
import {
  type Language,
  type NotificationPreference,
  needsEmail,
  needsPhone,
  type SignInProvider,
} from "../../contract/options";
import { parseUserAgent } from "../../contract/user-agent";
import type { Dependencies } from "../../dependencies";
import type { ProviderSettings } from "../../lib/sign-in-providers";
import { withFields } from "../../ports/logger";
import type { Message } from "./message-limits";
import { addressOn } from "./notification-kinds";

type Owner = NewNotification["userId"];
/** Where an envelope's recipient is written to. */
type Addresses = {
  customerEmail: string;
  recipientPhone: string | null;
  notificationPreference: NotificationPreference;
};

/** The addresses of messages to the envelope's recipient, by the channels it asks for. */
export function recipientsOf(envelope: Addresses): Message[] {
  return CHANNELS.flatMap((channel) => {
    const recipient = addressOn(channel, envelope);
    return recipient && IS_ASKED_FOR[channel](envelope.notificationPreference)
      ? [{ channel, recipient }]
      : [];
  });
}

const IS_ASKED_FOR = { email: needsEmail, sms: needsPhone } satisfies Record<Channel, unknown>;

type RecipientMessage = {
  kind: RequestKind;
  createdAt: string;
  dedupeKey?: string;
  payload?: PayloadOf<"reminder">;
};

/**
 * Statements that queue the message to the recipient, on each channel that the envelope asks for.
 * @param planOf what differs from `message` on one channel
 */
export function queueForRecipient(
  db: Database,
  envelope: Addresses & { id: NonNullable<NewNotification["envelopeId"]>; userId: number },
  message: RecipientMessage,
  planOf: (to: Message) => { kind?: RecipientMessage["kind"]; nextAttemptAt?: string } = () => ({}),
): Statement[] {
  const { id: envelopeId, userId } = envelope;
  return recipientsOf(envelope).map((to) => {
    const {
      kind,
      createdAt,
      payload = {},
      dedupeKey = `${kind}:${crypto.randomUUID()}`,
      ...due
    } = { ...message, ...planOf(to) };
    return insertNotification<RequestKind>(db, {
      userId,
      envelopeId,
      kind,
      ...to,
      payload,
      dedupeKey: `${dedupeKey}:${to.channel}`,
      createdAt,
      ...due,
    });
  });
}

/**
 * Statements that queue the notices to the assignee and to watchers, and the receipt to the recipient. Their keys are
 * NULL unless the envelope is pending; the whole batch then fails.
 */
export function queueSubmissionNotices(
  db: Database,
  envelope: { id: number; customerEmail: string },
  submission: { token: string; createdAt: string; language: Language | null; note: string | null },
): Statement[] {
  const { token, createdAt, language, note } = submission;
  const userId = assigneeOf(envelope.id);
  const payload = { text: note ?? "" };
  const notice = { userId, envelopeId: envelope.id, channel: "email", createdAt } as const;
  const dedupeKey = (kind: NotificationKind) => pendingEnvelopeKey(kind, token, createdAt);
  const receipt = insertNotification(db, {
    ...notice,
    kind: "receipt",
    recipient: recipientEmail(envelope),
    payload: language ? { receiptLanguage: language } : {},
    dedupeKey: dedupeKey("receipt"),
  });
  return [
    insertNotification(db, {
      ...notice,
      kind: "submission",
      recipient: accountEmail(userId),
      payload,
      dedupeKey: dedupeKey("submission"),
    }),
    ...(envelope.customerEmail ? [receipt] : []),
    insertForWatchers(db, { token, createdAt, payload }),
  ];
}

/** The statement that queues a message of the recipient to the requestor. Its batch fails unless the envelope is pending. */
export function queueMessage(
  db: Database,
  envelope: { id: number; submissionToken: string },
  message: { text: string; createdAt: string },
): Statement {
  const { createdAt, text } = message;
  const userId = assigneeOf(envelope.id);
  return insertNotification(db, {
    userId,
    envelopeId: envelope.id,
    kind: "message",
    channel: "email",
    recipient: accountEmail(userId),
    payload: { text },
    dedupeKey: pendingEnvelopeKey(`message:${crypto.randomUUID()}`, envelope.submissionToken, createdAt),
    createdAt,
  });
}

/** The statement that queues the mail about a sign-in from an unknown browser: for each browser and address once a day. */
export function queueNewSignIn(
  db: Database,
  { id, email }: Pick<User, "id" | "email">,
  { address, userAgent, createdAt }: Record<"address" | "userAgent" | "createdAt", string>,
): Statement {
  const { browser = null, system = null } = parseUserAgent(userAgent);
  const kind = "new_sign_in";
  return insertNotification(db, {
    ...{ userId: id, kind, channel: "email", recipient: email, createdAt },
    payload: { browser, system, address },
    dedupeKey: [kind, id, createdAt.slice(0, 10), browser, system, address].join(":"),
  });
}

/** What the mail about a linked or unlinked provider calls it. */
export const providerPayload = (provider: ProviderSettings | { name: SignInProvider }) => ({
  provider: provider.name,
  ...("label" in provider && { name: provider.label }),
});

/** What a mail to an address that the account is about to lose is stored with, if nobody has proved the address. */
export const unprovedMark = (user: Pick<User, "isVerified" | "verifiedByOwner">): { unproved?: 1 } =>
  user.isVerified || user.verifiedByOwner ? {} : { unproved: 1 };

/** The statement that notifies an account of a new member or role. Who becomes an owner again and again gets one mail a day. */
export function queueMemberNotice(
  db: Database,
  kind: "member_joined" | "made_owner",
  userId: NonNullable<Owner>,
  {
    workspaceId,
    workspace,
    name,
    createdAt,
  }: { workspaceId: number; workspace: string; name?: string; createdAt: string },
): Statement {
  const payload = { workspaceId, workspace, ...(name && { name }) };
  const day = createdAt.slice(0, "2026-03-14".length);
  const dedupeKey = kind === "made_owner" ? [kind, workspaceId, userId, day].join(":") : undefined;
  return queueAccountMail(db, kind, { userId, createdAt, payload, dedupeKey });
}

type AccountMail<Kind extends NotificationKind> = {
  /** What must hold when the batch runs. */
  unchanged?: Condition;
  createdAt: string;
  payload: NewNotification<Kind>["payload"];
  /** Random by default: the mail is queued each time. */
  dedupeKey?: string;
} & (
  | { userId: NonNullable<Owner>; to?: NewNotification["recipient"] }
  | { userId: null; to: NewNotification["recipient"] }
);

/**
 * The statement that queues a mail about an account: to its address when the batch runs, or to `to`. Fails its batch, see
 * `isAccountMissing`, if there is no such account or `unchanged` is not true; must precede what changes the address.
 */
export function queueAccountMail<Kind extends NotificationKind>(
  db: Database,
  kind: Kind,
  mail: AccountMail<Kind>,
): Statement {
  const { userId, createdAt, payload, unchanged, dedupeKey = `${kind}:${crypto.randomUUID()}` } = mail;
  const to = mail.userId === null ? mail.to : (mail.to ?? accountEmail(mail.userId));
  const recipient = onlyWhile(unchanged, to);
  return insertNotification(db, { userId, kind, channel: "email", recipient, payload, dedupeKey, createdAt });
}

/**
 * Starts delivering queued messages without waiting for the result. Most are of other requests, so their log lines do not
 * have the id of this one.
 * @param channels on which the caller may have queued some
 */
export function deliverSoon(deps: Dependencies, channels: readonly Channel[] = CHANNELS): void {
  const log = withFields(deps.log, { requestId: undefined });
  deps.background.run("outbox", async () => {
    const { sendDue } = await import("./messages.sender");
    await sendDue({ ...deps, log }, channels);
  });
}
