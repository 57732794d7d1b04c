import type { Database, Statement } from "../../../db/client";
import { assigneeOf } from "../../../db/queries/membership";
import {
  accountEmail,
  insertForWatchers,
  insertNotification,
  type NewNotification,
  unconfirmedEmail,
  whileAccountExists,
} from "../../../db/queries/notifications";
import { pendingEnvelopeKey } from "../../../db/queries/submissions";
import type { User } from "../../../db/queries/users";
import type { NotificationKind, PayloadOf } from "../../contract/notifications";
import type { Language, Role, SecondFactor, SignInProvider } from "../../contract/options";
import { parseUserAgent } from "../../contract/user-agent";
import type { Dependencies } from "../../dependencies";
import type { ProviderSettings } from "../../lib/sign-in-providers";
import type { Message } from "./message-limits";
import { sendDue } from "./messages.sender";

type Owner = NewNotification["userId"];
type Reach = {
  customerEmail: string;
  recipientPhone: string | null;
  notificationPreference: "email" | "sms" | "both";
};

/** The addresses of messages to the envelope's recipient, by the channels it asks for. */
export function recipientsOf(envelope: Reach): Message[] {
  const { customerEmail, recipientPhone, notificationPreference } = envelope;
  const channels = [
    { channel: "email", recipient: customerEmail, excludedBy: "sms" },
    { channel: "sms", recipient: recipientPhone, excludedBy: "email" },
  ] as const;
  return channels.flatMap(({ channel, recipient, excludedBy }) =>
    recipient && notificationPreference !== excludedBy ? [{ channel, recipient }] : [],
  );
}

type RecipientMessage = {
  kind: "invitation" | "update" | "reminder" | "returned";
  createdAt: string;
  dedupeKey?: string;
};

/**
 * Statements that queue the message to the recipient, on each channel that the envelope asks for.
 * @param planOf what differs from `message` on one channel
 */
export function queueForRecipient(
  db: Database,
  envelope: Reach & { id: NonNullable<NewNotification["envelopeId"]>; userId: number },
  message: RecipientMessage,
  planOf: (to: Message) => { kind?: RecipientMessage["kind"]; nextAttemptAt?: string } = () => ({}),
): Statement[] {
  const { id: envelopeId, userId } = envelope;
  return recipientsOf(envelope).map((to) => {
    const {
      kind,
      createdAt,
      dedupeKey = `${kind}:${crypto.randomUUID()}`,
      ...due
    } = { ...message, ...planOf(to) };
    return insertNotification(db, {
      userId,
      envelopeId,
      kind,
      ...to,
      payload: {},
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
  submission: { token: string; createdAt: string; language: Language | null },
): Statement[] {
  const userId = assigneeOf(envelope.id);
  const messages = [
    { kind: "submission", recipient: accountEmail(userId), payload: {} },
    {
      kind: "receipt",
      recipient: envelope.customerEmail,
      payload: submission.language ? { receiptLanguage: submission.language } : {},
    },
  ] as const;
  const notices = messages.flatMap(({ kind, recipient, payload }) =>
    recipient
      ? insertNotification(db, {
          userId,
          envelopeId: envelope.id,
          kind,
          channel: "email",
          recipient,
          payload,
          dedupeKey: pendingEnvelopeKey(kind, submission.token, submission.createdAt),
          createdAt: submission.createdAt,
        })
      : [],
  );
  return [...notices, insertForWatchers(db, submission)];
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

/** Queues the mail that asks an account to confirm its address. */
export function queueVerification(
  db: Database,
  mail: { userId: Owner; email: NewNotification["recipient"]; token: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "verification", mail.userId, mail.email, mail.createdAt, { token: mail.token });
}

/** Queues the mail with the password reset link. */
export function queuePasswordReset(
  db: Database,
  user: { id: Owner; email: string },
  mail: { token: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "password_reset", user.id, user.email, mail.createdAt, { token: mail.token });
}

/** Queues the mail with the code by which a signed-in user confirms that it is them. */
export function queueConfirmationCode(
  db: Database,
  userId: NonNullable<Owner>,
  { code, createdAt }: { code: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "confirmation_code", userId, accountEmail(userId), createdAt, { code });
}

/** Queues the mail that reports a changed password. */
export function queuePasswordChanged(db: Database, userId: NonNullable<Owner>, createdAt: string): Statement {
  return queueAccountMail(db, "password_changed", userId, accountEmail(userId), createdAt, {});
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

/**
 * The statement that queues the mail to the address that is replaced, at once or, if `pending`, once the new one is
 * confirmed; must precede the change. `token` is that of the link that undoes it.
 */
export function queueEmailChanged(
  db: Database,
  userId: NonNullable<Owner>,
  { createdAt, token, pending = false }: { createdAt: string; token: string | null; pending?: boolean },
): Statement {
  return queueAccountMail(db, "email_changed", userId, accountEmail(userId), createdAt, {
    token,
    ...(pending && { pending: 1 }),
  });
}

/** The statement that queues the mail to an address that the account has not confirmed, with a link that removes it. */
export function queueEmailClaimed(
  db: Database,
  userId: NonNullable<Owner>,
  { createdAt, token }: { createdAt: string; token: string },
): Statement {
  return queueAccountMail(db, "email_claimed", userId, unconfirmedEmail(userId), createdAt, { token });
}

/** The statement that queues the mail about what the operator has done for the owner of an account. */
export function queueOperatorAccess(
  db: Database,
  kind: "sign_in_link_made" | "two_factor_reset",
  user: Pick<User, "id" | "email">,
  createdAt: string,
): Statement {
  return queueAccountMail(db, kind, user.id, user.email, createdAt, {});
}

/** The statement that queues the mail about a newly linked sign-in provider. */
export function queueProviderLinked(
  db: Database,
  user: Pick<User, "id" | "email">,
  { provider, createdAt }: { provider: ProviderSettings; createdAt: string },
): Statement {
  return queueAccountMail(db, "provider_linked", user.id, user.email, createdAt, providerPayload(provider));
}

/** The same about an unlinked one. Fails its batch, see `isAccountMissing`, if `userId` is NULL. */
export function queueProviderUnlinked(
  db: Database,
  userId: NonNullable<Owner>,
  { provider, createdAt }: { provider: ProviderSettings | { name: SignInProvider }; createdAt: string },
): Statement {
  const payload = providerPayload(provider);
  return queueAccountMail(db, "provider_unlinked", userId, accountEmail(userId), createdAt, payload);
}

const providerPayload = (provider: ProviderSettings | { name: SignInProvider }) => ({
  provider: provider.name,
  ...("label" in provider && { name: provider.label }),
});

/**
 * The statement that queues the mail about a factor that was added, removed, renewed or, for a recovery code, used. Fails
 * its batch, see `isAccountMissing`, if `userId` is NULL.
 */
export function queueFactorChanged(
  db: Database,
  userId: NonNullable<Owner>,
  { kind, factor, createdAt }: { kind: FactorMail; factor: SecondFactor; createdAt: string },
): Statement {
  return queueAccountMail(db, kind, userId, accountEmail(userId), createdAt, { factor });
}

type FactorMail = "factor_added" | "factor_removed" | "recovery_codes_renewed" | "recovery_code_used";

/** The statement that queues the last mail to an account; must precede its deletion. */
export function queueAccountDeleted(
  db: Database,
  userId: NonNullable<Owner>,
  { language, createdAt }: { language: Language; createdAt: string },
): Statement {
  return queueAccountMail(db, "account_deleted", null, accountEmail(userId), createdAt, { language });
}

/** The statement that queues the mail with an invitation to create an account. */
export function queueAccountInvitation(
  db: Database,
  {
    email,
    token,
    language,
    inviter,
    createdAt,
  }: Record<"email" | "token" | "createdAt", string> & { language: Language; inviter: string | null },
): Statement {
  return queueAccountMail(db, "account_invitation", null, email, createdAt, { token, language, inviter });
}

/** The statement that queues the mail with an invitation to a workspace. */
export function queueWorkspaceInvitation(
  db: Database,
  {
    email,
    createdAt,
    ...payload
  }: Record<"email" | "token" | "createdAt" | "workspace" | "inviter", string> & {
    workspaceId: number;
    language: Language;
    role: Role;
  },
): Statement {
  return queueAccountMail(db, "workspace_invitation", null, email, createdAt, payload);
}

/**
 * The statement that notifies an account of a change of members; for a removal, it must precede that. Who becomes an
 * owner again and again gets one mail a day.
 */
export function queueMemberNotice(
  db: Database,
  kind: "member_joined" | "member_removed" | "made_owner",
  userId: NonNullable<Owner>,
  {
    workspaceId,
    workspace,
    name,
    createdAt,
  }: { workspaceId: number; workspace: string; name?: string; createdAt: string },
): Statement {
  const payload = { workspace, ...(name && { name }) };
  const key =
    kind === "made_owner" ? [kind, workspaceId, userId, createdAt.slice(0, 10)].join(":") : undefined;
  return queueAccountMail(db, kind, userId, accountEmail(userId), createdAt, payload, key);
}

/** Queues a message from the help chat to the operator. Fails where the account is gone, see `isAccountMissing`. */
export function queueSupportMessage(
  db: Database,
  user: User,
  mail: { to: string; message: string; createdAt: string },
): Statement {
  const to = whileAccountExists(user.id, mail.to);
  return queueAccountMail(db, "support", user.id, to, mail.createdAt, { message: mail.message });
}

function queueAccountMail<Kind extends NotificationKind>(
  db: Database,
  kind: Kind,
  userId: Owner,
  recipient: NewNotification["recipient"],
  createdAt: string,
  payload: PayloadOf<Kind>,
  dedupeKey = `${kind}:${crypto.randomUUID()}`,
): Statement {
  return insertNotification(db, { userId, kind, channel: "email", recipient, payload, dedupeKey, createdAt });
}

/** Starts delivering queued messages without waiting for the result. */
export function deliverSoon(deps: Dependencies): void {
  deps.background.run("outbox", () => sendDue(deps));
}
