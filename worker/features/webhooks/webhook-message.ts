import { findEnvelopeToDeliver } from "../../../db/queries/envelopes";
import { findFileDelivery } from "../../../db/queries/file-deliveries";
import { findNotificationToDeliver } from "../../../db/queries/notifications";
import { findSnapshot, type WebhookDelivery } from "../../../db/queries/webhook-deliveries";
import type { Dependencies } from "../../dependencies";
import { fileDeliveryView } from "../destinations/file-delivery-view";
import { notificationView } from "../envelopes/envelope-notifications.service";
import { type EnvelopeView, viewEnvelope } from "../envelopes/envelope-view";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

type Data = Record<string, unknown> & {
  submissions?: { url: string | null }[];
  documents?: Pick<EnvelopeView["documents"][number], "id" | "renewal">[];
};

/**
 * The body of a message: the event, its time, and the envelope as it is now, or as it was when it was deleted. It does
 * not contain the recipient's link, which earlier versions stored in snapshots.
 */
export async function webhookBody(deps: Dependencies, delivery: WebhookDelivery): Promise<string> {
  const request = await dataOf(deps, delivery);
  const data = delivery.documentId === null ? request : aboutDocument(request, delivery.documentId);
  // To read, to write and to sign nine megabytes are three turns.
  await deps.takeTurn?.();
  const body = JSON.stringify({ type: delivery.event, timestamp: delivery.at, data });
  await deps.takeTurn?.();
  return body;
}

/** A document of the request, and the request that asks for it again; null once they are deleted. */
function aboutDocument(request: Data, documentId: number) {
  const document = request.documents?.find(({ id }) => id === documentId) ?? null;
  return { request, document, renewal: document?.renewal ?? null };
}

async function dataOf(
  deps: Dependencies,
  { webhookId, envelopeId, notificationId, fileDeliveryId }: WebhookDelivery,
): Promise<Data> {
  if (envelopeId === null) return {};
  const { db, clock, config, takeTurn } = deps;
  const envelope = await findEnvelopeToDeliver(db, { webhookId, envelopeId }, takeTurn);
  const data: Data = envelope
    ? await viewEnvelope(deps, undefined, envelope, {
        now: clock.now(),
        withLink: false,
      })
    : ((await findSnapshot(db, { webhookId, envelopeId })) ?? { id: envelopeId });
  const notification =
    envelope && notificationId !== null
      ? await findNotificationToDeliver(db, { envelopeId, id: notificationId })
      : undefined;
  const file =
    envelope && fileDeliveryId !== null
      ? await findFileDelivery(db, { envelopeId, id: fileDeliveryId })
      : null;
  return {
    ...data,
    ...("submissionToken" in data && { submissionToken: null }),
    ...(data.submissions && {
      submissions: data.submissions.map((file) => ({
        ...file,
        url: file.url && new URL(file.url, config.publicUrl).href,
      })),
    }),
    ...(notification && { notification: notificationView(notification) }),
    ...(file && { destination: file.destination, delivery: fileDeliveryView(file) }),
  };
}

/** A new secret in the form of Standard Webhooks: a prefix and the key in base64. */
export function createWebhookSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toBase64();
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com) for a message: its id, the time of this attempt
 * and a signature for each secret.
 */
export async function signatureHeaders(
  message: { id: string; now: Date; body: string },
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(message.now.getTime() / 1000));
  const signed = new TextEncoder().encode(`${message.id}.${timestamp}.${message.body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, signed)));
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

async function sign(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)).toBase64()}`;
}
