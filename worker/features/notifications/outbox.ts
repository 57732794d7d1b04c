import type { Database, Statement } from "../../../db/client";
import { insertNotification, type NewNotification } from "../../../db/queries/notifications";
import { pendingRequestKey } from "../../../db/queries/submissions";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { drainOutbox } from "../../jobs/outbox";

type Owner = NewNotification["userId"];
type Reach = {
  customerEmail: string;
  recipientPhone: string | null;
  notificationPreference: "email" | "sms" | "both";
};

/** Statements that queue the message to the recipient by the channels the envelope asks for. */
export function queueForRecipient(
  db: Database,
  envelope: Reach & { id: NonNullable<NewNotification["requestId"]>; userId: number },
  message: { kind: "invitation" | "update" | "reminder" | "expiring"; createdAt: string; dedupeKey?: string },
): Statement[] {
  const { kind, createdAt, dedupeKey = `${kind}:${crypto.randomUUID()}` } = message;
  const channels = [
    {
      channel: "email",
      recipient: envelope.customerEmail,
      wanted: envelope.notificationPreference !== "sms",
    },
    {
      channel: "sms",
      recipient: envelope.recipientPhone,
      wanted: envelope.notificationPreference !== "email",
    },
  ] as const;
  return channels.flatMap(({ channel, recipient, wanted }) =>
    wanted && recipient
      ? insertNotification(db, {
          userId: envelope.userId,
          requestId: envelope.id,
          kind,
          channel,
          recipient,
          payload: {},
          dedupeKey: `${dedupeKey}:${channel}`,
          createdAt,
        })
      : [],
  );
}

/**
 * The statement that queues the notice to the requestor that the files are there. Its key exists only while
 * the envelope is pending: without it the row cannot be written, nor the batch it stands in.
 */
export function queueSubmissionNotice(
  db: Database,
  request: { id: number; userId: number; user: { email: string } },
  submission: { token: string; createdAt: string },
): Statement {
  return insertNotification(db, {
    userId: request.userId,
    requestId: request.id,
    kind: "submission",
    channel: "email",
    recipient: request.user.email,
    payload: {},
    dedupeKey: pendingRequestKey("submission", submission.token),
    createdAt: submission.createdAt,
  });
}

/** The statement that queues the mail which asks an account to confirm its address. */
export function queueVerification(
  db: Database,
  mail: { userId: Owner; email: string; token: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "verification", mail.userId, mail.email, mail.createdAt, { token: mail.token });
}

/** The statement that queues the mail with the link to choose a new password. */
export function queuePasswordReset(
  db: Database,
  user: User,
  mail: { token: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "password_reset", user.id, user.email, mail.createdAt, { token: mail.token });
}

/** The statement that queues a message from the help chat to whoever runs the product. */
export function queueSupportMessage(
  db: Database,
  user: User,
  mail: { to: string; message: string; createdAt: string },
): Statement {
  return queueAccountMail(db, "support", user.id, mail.to, mail.createdAt, { message: mail.message });
}

function queueAccountMail(
  db: Database,
  kind: NewNotification["kind"],
  userId: Owner,
  recipient: string,
  createdAt: string,
  payload: NewNotification["payload"],
): Statement {
  const dedupeKey = `${kind}:${crypto.randomUUID()}`;
  return insertNotification(db, { userId, kind, channel: "email", recipient, payload, dedupeKey, createdAt });
}

/** Starts delivering what was just queued, without waiting for it. */
export function deliverSoon(deps: Dependencies): void {
  deps.background.run("outbox", () => drainOutbox(deps));
}
