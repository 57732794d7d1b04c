import { findEnvelope } from "../../../db/queries/envelopes";
import { listNotifications } from "../../../db/queries/notifications";
import { findSnapshot, type WebhookDelivery } from "../../../db/queries/webhook-deliveries";
import type { Dependencies } from "../../dependencies";
import { notificationView } from "../envelopes/envelope-notifications.service";
import { envelopeView } from "../envelopes/envelope-view";

type Data = Record<string, unknown> & { submissions?: { url: string | null }[] };

/** The body of a message: the event, its time, and the envelope as it is now, or as it was when it was deleted. */
export async function webhookBody(deps: Dependencies, delivery: WebhookDelivery): Promise<string> {
  const data = await dataOf(deps, delivery);
  return JSON.stringify({ type: delivery.event, timestamp: delivery.at, data });
}

async function dataOf(
  { db, clock, config }: Dependencies,
  { userId, envelopeId, notificationId }: WebhookDelivery,
): Promise<Data> {
  if (envelopeId === null) return {};
  const envelope = await findEnvelope(db, userId, envelopeId);
  const data: Data = envelope
    ? envelopeView(envelope, clock.now())
    : ((await findSnapshot(db, userId, envelopeId)) ?? { id: envelopeId });
  const notifications =
    notificationId === null ? [] : await listNotifications(db, userId, envelopeId, { ids: [notificationId] });
  const [notification] = notifications;
  return {
    ...data,
    ...(data.submissions && {
      submissions: data.submissions.map((file) => ({
        ...file,
        url: file.url && new URL(file.url, config.publicUrl).href,
      })),
    }),
    ...(notification && { notification: notificationView(notification) }),
  };
}
