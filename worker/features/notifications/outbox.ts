import type { Database, Statement } from "../../../db/client";
import {
  accountEmail,
  insertNotification,
  type NewNotification,
  type Notification,
  whileAccountExists,
} from "../../../db/queries/notifications";
import { pendingEnvelopeKey } from "../../../db/queries/submissions";
import type { User } from "../../../db/queries/users";
import type { Language, SignInProvider } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { sendDue } from "./sending";

type Owner = NewNotification["userId"];
type Reach = {
  customerEmail: string;
  recipientPhone: string | null;
  notificationPreference: "email" | "sms" | "both";
};

/** The addresses of messages to the envelope's recipient, by the channels it asks for. */
export function recipientsOf(envelope: Reach): { channel: Notification["channel"]; recipient: string }[] {
  const { customerEmail, recipientPhone, notificationPreference } = envelope;
  const channels = [
    { channel: "email", recipient: customerEmail, excludedBy: "sms" },
    { channel: "sms", recipient: recipientPhone, excludedBy: "email" },
  ] as const;
  return channels.flatMap(({ channel, recipient, excludedBy }) =>
    recipient && notificationPreference !== excludedBy ? [{ channel, recipient }] : [],
  );
}

/**
 * Statements that queue the message to the recipient. An update becomes an invitation if its address did not have the
 * envelope `before`, or if it replaces an invitation that was never sent.
 */
export function queueForRecipient(
  db: Database,
  envelope: Reach & { id: NonNullable<NewNotification["envelopeId"]>; userId: number },
  message: {
    kind: "invitation" | "update" | "reminder" | "returned";
    createdAt: string;
    dedupeKey?: string;
    before?: Pick<Reach, "customerEmail" | "recipientPhone">;
    replaced?: readonly Notification[];
  },
): Statement[] {
  const { createdAt, before, replaced = [] } = message;
  return recipientsOf(envelope).map(({ channel, recipient }) => {
    const known = channel === "email" ? before?.customerEmail : before?.recipientPhone;
    const invited =
      recipient === known &&
      !replaced.some((other) => other.channel === channel && other.kind === "invitation");
    const kind = message.kind === "update" && !invited ? "invitation" : message.kind;
    const dedupeKey = `${message.dedupeKey ?? `${kind}:${crypto.randomUUID()}`}:${channel}`;
    const { id: envelopeId, userId } = envelope;
    return insertNotification(db, {
      userId,
      envelopeId,
      kind,
      channel,
      recipient,
      payload: {},
      dedupeKey,
      createdAt,
    });
  });
}

/**
 * Statements that queue the notice to the requestor and the receipt to the recipient. Their keys are NULL unless the
 * envelope is pending; the whole batch then fails.
 */
export function queueSubmissionNotices(
  db: Database,
  envelope: { id: number; userId: number; customerEmail: string },
  submission: { token: string; createdAt: string },
): Statement[] {
  const messages = [
    { kind: "submission", recipient: accountEmail(envelope.userId) },
    { kind: "receipt", recipient: envelope.customerEmail },
  ] as const;
  return messages.flatMap(({ kind, recipient }) =>
    recipient
      ? insertNotification(db, {
          userId: envelope.userId,
          envelopeId: envelope.id,
          kind,
          channel: "email",
          recipient,
          payload: {},
          dedupeKey: pendingEnvelopeKey(kind, submission.token, submission.createdAt),
          createdAt: submission.createdAt,
        })
      : [],
  );
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
  user: Pick<User, "id" | "email">,
  mail: { token: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "password_reset", user.id, user.email, mail.createdAt, { token: mail.token });
}

/** Queues the mail that reports a changed password. */
export function queuePasswordChanged(db: Database, userId: NonNullable<Owner>, createdAt: string): Statement {
  return queueAccountMail(db, "password_changed", userId, accountEmail(userId), createdAt, {});
}

/**
 * The statement that queues the mail to an account's old address; must precede the change. `token` is that of the link
 * that undoes it.
 */
export function queueEmailChanged(
  db: Database,
  userId: NonNullable<Owner>,
  { createdAt, token }: { createdAt: string; token: string | null },
): Statement {
  const payload: NewNotification["payload"] = token === null ? {} : { token };
  return queueAccountMail(db, "email_changed", userId, accountEmail(userId), createdAt, payload);
}

/** The statement that queues the mail about a newly linked sign-in provider. */
export function queueProviderLinked(
  db: Database,
  user: Pick<User, "id" | "email">,
  { provider, createdAt }: { provider: SignInProvider; createdAt: string },
): Statement {
  return queueAccountMail(db, "provider_linked", user.id, user.email, createdAt, { provider });
}

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
    createdAt,
  }: Record<"email" | "token" | "createdAt", string> & { language: Language },
): Statement {
  return queueAccountMail(db, "account_invitation", null, email, createdAt, { token, language });
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

function queueAccountMail(
  db: Database,
  kind: NewNotification["kind"],
  userId: Owner,
  recipient: NewNotification["recipient"],
  createdAt: string,
  payload: NewNotification["payload"],
): Statement {
  const dedupeKey = `${kind}:${crypto.randomUUID()}`;
  return insertNotification(db, { userId, kind, channel: "email", recipient, payload, dedupeKey, createdAt });
}

/** Starts delivering queued messages without waiting for the result. */
export function deliverSoon(deps: Dependencies): void {
  deps.background.run("outbox", () => sendDue(deps));
}
