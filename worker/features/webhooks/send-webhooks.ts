import type { Database } from "../../../db/client";
import { runBatch } from "../../../db/client";
import { claimDeliveries, listDueWebhooks } from "../../../db/queries/webhook-deliveries";
import { insertDeliveries } from "../../../db/queries/webhook-events";
import { findWebhookToDeliver, hasWebhooks } from "../../../db/queries/webhooks";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { deliverWebhook } from "./deliver-webhook";

/** Longer than one attempt and its record. Afterwards another process may take over the claim. */
const CLAIM_MS = 60_000;
/** A run claims nothing more after this time; the next run continues. */
const RUN_MS = 40_000;
/** Receivers that are called concurrently. */
const RECEIVERS = 16;
/** Concurrent messages to one receiver; one that fails gets a single message at a time. */
const PER_RECEIVER = 4;

/** The receivers that this process is calling, and whether more deliveries have become due for them. */
const activeReceivers = new WeakMap<Database, Map<number, { more: boolean }>>();

/**
 * Creates deliveries for new events and sends those that are due. Each receiver has its own queue, apart from mail, so
 * a slow or dead receiver delays nobody else.
 */
export async function sendWebhooks(deps: Dependencies): Promise<void> {
  const { db, clock } = deps;
  if (!(await hasWebhooks(db))) return;
  const now = clock.now().toISOString();
  await runBatch(db, insertDeliveries(db, now));
  const endsAt = Date.now() + RUN_MS;
  const receivers = activeReceivers.get(db) ?? new Map<number, { more: boolean }>();
  activeReceivers.set(db, receivers);
  const due = await listDueWebhooks(db, now, RECEIVERS + receivers.size);
  const free = due.filter((id) => {
    const running = receivers.get(id);
    if (running) running.more = true;
    return !running;
  });
  await Promise.all(
    free.slice(0, Math.max(0, RECEIVERS - receivers.size)).map(async (id) => {
      const state = { more: true };
      receivers.set(id, state);
      try {
        while (state.more && Date.now() < endsAt) {
          state.more = false;
          if (await sendTo(deps, id)) state.more = true;
        }
      } catch (error) {
        // The claim expires, and another run tries again.
        deps.log.error("webhook not processed", { webhookId: id, error: causes(error) });
      } finally {
        receivers.delete(id);
      }
    }),
  );
}

/** Sends the next messages to a receiver. @returns whether more may be due for it */
async function sendTo(deps: Dependencies, webhookId: number): Promise<boolean> {
  const { db, clock } = deps;
  const webhook = await findWebhookToDeliver(db, webhookId);
  const now = clock.now();
  if (!webhook || (webhook.pausedUntil ?? "") > now.toISOString()) return false;
  const claimedBy = crypto.randomUUID();
  const deliveries = await claimDeliveries(db, {
    webhookId,
    claimedBy,
    now: now.toISOString(),
    claimedUntil: new Date(now.getTime() + CLAIM_MS).toISOString(),
    limit: webhook.failures > 0 ? 1 : PER_RECEIVER,
  });
  const delivered = await Promise.all(
    deliveries.map((delivery) => deliverWebhook(deps, webhook, delivery, claimedBy)),
  );
  return delivered.length > 0 && delivered.every(Boolean);
}
