import { runBatch, type Statement } from "../../../db/client";
import { accountEmail, insertNotification } from "../../../db/queries/notifications";
import {
  type DeliveryOutcome,
  recordTry,
  type WebhookDelivery,
} from "../../../db/queries/webhook-deliveries";
import { switchOffWebhook, type Webhook } from "../../../db/queries/webhooks";
import { WEBHOOK_FAILING_DAYS } from "../../contract/webhooks";
import type { Dependencies } from "../../dependencies";
import { DAY_MS } from "../../lib/durations";
import { VERSION } from "../../lib/version";
import { signatureHeaders } from "../../lib/webhook-signature";
import { WebhookError } from "../../ports/webhook-sender";
import { nextTry, pauseAfter } from "./webhook-back-off";
import { webhookBody } from "./webhook-body";

const FAILING_MS = WEBHOOK_FAILING_DAYS * DAY_MS;

type Answer = Pick<DeliveryOutcome, "statusCode" | "durationMs" | "response" | "failure">;

/** Attempts one claimed delivery and records the outcome. @returns whether it succeeded */
export async function deliverWebhook(
  deps: Dependencies,
  webhook: Webhook,
  delivery: WebhookDelivery,
  claimedBy: string,
): Promise<boolean> {
  const answer = await send(deps, webhook, delivery);
  const delivered = answer.failure === null;
  const now = deps.clock.now();
  const { id, webhookId, attempts, event } = delivery;
  const again = delivered ? null : nextTry(attempts, now);
  const status = delivered ? "delivered" : again === null ? "failed" : "pending";
  const failures = delivered ? 0 : webhook.failures + 1;
  const failingSince = delivered ? null : (webhook.failingSince ?? now.toISOString());
  const pausedUntil = delivered ? null : pauseAfter(failures, now);
  webhook.failures = failures;
  webhook.failingSince = failingSince;
  await runBatch(deps.db, [
    ...recordTry(
      deps.db,
      { id, webhookId, claimedBy },
      { ...answer, status, nextAttemptAt: again },
      { failures, failingSince, pausedUntil },
    ),
    ...(status === "failed" ? switchOffIfDead(deps, webhook, now) : []),
  ]);
  const { statusCode, failure } = answer;
  deps.log.info("webhook delivery attempted", {
    webhookId,
    deliveryId: id,
    event,
    attempts,
    status,
    statusCode,
    failure,
  });
  return delivered;
}

async function send(deps: Dependencies, webhook: Webhook, delivery: WebhookDelivery): Promise<Answer> {
  const { clock, webhookSender } = deps;
  const body = await webhookBody(deps, delivery);
  const now = clock.now();
  const { previousSecret, previousSecretUntil } = webhook;
  const previous = previousSecret && (previousSecretUntil ?? "") > now.toISOString() ? [previousSecret] : [];
  const secrets = [webhook.secret, ...previous];
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `Doculopes/${VERSION}`,
    ...(await signatureHeaders({ id: delivery.messageId, now, body }, secrets)),
  };
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  try {
    const { statusCode, response } = await webhookSender.send({ url: webhook.url, headers, body });
    const failure = statusCode >= 200 && statusCode < 300 ? null : "status";
    return { statusCode, response, durationMs: elapsed(), failure };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return { statusCode: null, response: null, durationMs: elapsed(), failure: error.reason };
  }
}

/**
 * Switches the webhook off and queues a mail to its owner, after a delivery has failed for good and none has succeeded
 * for days.
 */
function switchOffIfDead({ db }: Dependencies, webhook: Webhook, now: Date): Statement[] {
  const { id, userId, url, failingSince } = webhook;
  if (failingSince === null || now.getTime() - Date.parse(failingSince) < FAILING_MS) return [];
  const createdAt = now.toISOString();
  return [
    ...switchOffWebhook(db, userId, id, createdAt),
    insertNotification(db, {
      userId,
      kind: "webhook_off",
      channel: "email",
      recipient: accountEmail(userId),
      payload: { host: new URL(url).host },
      dedupeKey: `webhook_off:${id}:${failingSince}`,
      createdAt,
    }),
  ];
}
