import { runBatch, type Statement } from "../../../db/client";
import { insertWebhookOff } from "../../../db/queries/notifications";
import { claimDeliveries, type DeliveryOutcome, recordTry } from "../../../db/queries/webhook-claims";
import type { WebhookDelivery } from "../../../db/queries/webhook-deliveries";
import { insertDeliveries } from "../../../db/queries/webhook-events";
import {
  findWebhookToDeliver,
  hasWebhooks,
  switchOffExpiredWebhooks,
  switchOffFailingWebhook,
  type Webhook,
} from "../../../db/queries/webhooks";
import { type RetryPolicy, retryDelay } from "../../contract/retry-policy";
import { WEBHOOK_FAILING_DAYS } from "../../contract/webhooks";
import type { Dependencies } from "../../dependencies";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { VERSION } from "../../lib/version";
import { WebhookError } from "../../ports/webhook-sender";
import { type Attempt, Delivery, type Outcome } from "../delivery/delivery-queue";
import { signatureHeaders, webhookBody } from "./webhook-message";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Longer than one attempt and its record. */
const CLAIM_MS = MINUTE_MS;
/**
 * A run claims nothing more after this time; the next run continues. After a response, a Worker has 30 seconds, and an
 * attempt takes up to ten.
 */
const RUN_MS = 18 * SECOND_MS;
/** New events that are read in one batch: each may have a delivery for all webhooks of its workspace's owners. */
const EVENTS = 50;
/** Concurrent messages of one account. */
const SHARE = 3;
/** For recording what is being sent, and for the hourly jobs. */
const LEAVES_CALLS = 250;
/** A receiver that needs longer is slow. */
const SLOW_MS = 3 * SECOND_MS;
const FAILING_MS = WEBHOOK_FAILING_DAYS * DAY_MS;

/** Eight attempts within a day. */
const RETRIES: RetryPolicy = {
  delays: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    6 * HOUR_MS,
    15 * HOUR_MS,
  ],
  givesUp: true,
};
/** The pauses of a receiver after failures in a row, whatever else is due for it. */
const PAUSES: RetryPolicy = { delays: [5, 10, 20, 40, 80, 160, 300].map((seconds) => seconds * SECOND_MS) };

type PostResult = Pick<DeliveryOutcome, "statusCode" | "durationMs" | "response" | "failure">;
type WebhookAttempt = Attempt & { webhook: Webhook; posted: PostResult };

/**
 * Creates deliveries for new events and sends those that are due, apart from mail, in turn over the accounts: slow or dead
 * receivers delay nobody else's messages.
 */
export async function sendWebhooks(deps: Dependencies): Promise<void> {
  const { db, clock } = deps;
  const endsAt = Date.now() + RUN_MS;
  if (!(await hasWebhooks(db))) return;
  const now = clock.now().toISOString();
  await runBatch(db, switchOffExpiredWebhooks(db, now));
  while ((await insertDeliveries(db, now, EVENTS)) && Date.now() < endsAt);
  await deliveryOf(deps).sendDue(endsAt);
}

function deliveryOf(deps: Dependencies) {
  const { db, webhookSender } = deps;
  return new Delivery<WebhookDelivery, WebhookAttempt>(deps, {
    queue: "webhooks",
    name: "webhook",
    limits: { slots: webhookSender.slots, share: SHARE, claimMs: CLAIM_MS },
    leavesCalls: LEAVES_CALLS,
    retries: RETRIES,
    claim: (claim) => claimDeliveries(db, claim),
    async send(delivery) {
      const webhook = await findWebhookToDeliver(db, delivery.webhookId);
      // It was switched off or deleted meanwhile, and its deliveries with it.
      if (!webhook) return undefined;
      const posted = await post(deps, webhook, delivery);
      return { result: posted.failure === null ? "sent" : "rejected", webhook, posted };
    },
    record: (delivery, attempt, outcome) => record(deps, delivery, attempt, outcome),
    // The envelope's next event may be due, and those of a receiver that works again.
    onAnswer: async () => true,
  });
}

async function post(deps: Dependencies, webhook: Webhook, delivery: WebhookDelivery): Promise<PostResult> {
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

const STATUSES = {
  sent: "delivered",
  waiting: "pending",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<Outcome["status"], WebhookDelivery["status"]>;

async function record(
  { db, clock, log }: Dependencies,
  delivery: WebhookDelivery,
  { webhook, posted }: WebhookAttempt,
  outcome: Outcome,
): Promise<void> {
  const { id, webhookId, claimedBy, attempts, event } = delivery;
  const { statusCode, failure } = posted;
  const now = clock.now();
  const status = STATUSES[outcome.status];
  const nextAttemptAt = outcome.status === "waiting" ? (outcome.nextAttemptAt ?? null) : null;
  const pause = failure === null ? null : retryDelay(PAUSES, webhook.failures + 1);
  await runBatch(db, [
    ...recordTry(
      db,
      { id, webhookId, claimedBy },
      { ...posted, status, nextAttemptAt },
      {
        isSlow: (posted.durationMs ?? 0) >= SLOW_MS,
        pausedUntil: pause === null ? null : new Date(now.getTime() + pause).toISOString(),
        now: now.toISOString(),
      },
    ),
    ...(status === "failed" ? switchOffIfDead(db, webhook, now) : []),
  ]);
  const fields = { webhookId, deliveryId: id, webhookEvent: event, attempts, status, statusCode, failure };
  log.info("webhook delivery attempted", fields);
}

/**
 * Switches the webhook off and queues a mail to its account or the owners of its workspace, after a delivery has failed for good and none has succeeded
 * for days.
 */
function switchOffIfDead(db: Dependencies["db"], webhook: Webhook, now: Date): Statement[] {
  const { id, url, failingSince } = webhook;
  if (failingSince === null || now.getTime() - Date.parse(failingSince) < FAILING_MS) return [];
  const createdAt = now.toISOString();
  return [
    ...switchOffFailingWebhook(db, id, createdAt),
    insertWebhookOff(db, webhook, {
      host: new URL(url).host,
      dedupeKey: `webhook_off:${id}:${failingSince}`,
      now: createdAt,
    }),
  ];
}
