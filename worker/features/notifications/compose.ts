import { findNotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import type { Mail } from "../../ports/mailer";
import type { Sms } from "../../ports/sms-sender";

/** The mail that a notification stands for. */
export async function composeMail(deps: Dependencies, notification: Notification): Promise<Mail> {
  const { config } = deps;
  const context = await findNotificationContext(deps.db, notification);
  const link = context.request
    ? `${config.publicUrl}/submit/${context.request.submissionToken}`
    : config.publicUrl;
  const text = `${context.request?.title ?? notification.kind}\n\n${link}\n`;
  return {
    from: config.mailFrom,
    to: notification.recipient,
    subject: context.request?.subject ?? notification.kind,
    text,
    html: `<p>${text}</p>`,
    messageId: `<notification-${notification.id}@${new URL(config.publicUrl).hostname}>`,
  };
}

/** The text message that a notification stands for. */
export async function composeSms(deps: Dependencies, notification: Notification): Promise<Sms> {
  const { request } = await findNotificationContext(deps.db, notification);
  return {
    to: notification.recipient,
    text: `${deps.config.publicUrl}/submit/${request?.submissionToken ?? ""}`,
  };
}
