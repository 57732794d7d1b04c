import { runBatch } from "../../../db/client";
import type { User } from "../../../db/queries/users";
import {
  insertTest,
  isTestRejected,
  requeueDelivery,
  type WebhookDelivery,
} from "../../../db/queries/webhook-deliveries";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  isWebhookRejected,
  lastEventId,
  listWebhooks,
  replaceWebhookSecret,
  switchOffWebhook,
  updateWebhook,
  type Webhook,
} from "../../../db/queries/webhooks";
import { LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import type { WebhookChanges, WebhookInput } from "../../contract/webhooks";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { isPublicUrl } from "../../lib/public-address";
import { createWebhookSecret } from "../../lib/webhook-signature";
import { requireWorkspace } from "../workspaces/workspaces.service";
import { sendWebhooks } from "./send-webhooks";

/** How long the previous secret also signs after a rotation. */
const ROTATION_MS = DAY_MS;

/** The webhook as its owner sees it, without its secret. */
export function webhookView(webhook: Webhook) {
  const { id, workspaceId, url, events, description, enabled, failingSince, createdAt, updatedAt } = webhook;
  return { id, workspaceId, url, events, description, enabled, failingSince, createdAt, updatedAt };
}

export function deliveryView(delivery: WebhookDelivery) {
  const { id, event, status, statusCode, durationMs, attempts, response, failure, createdAt } = delivery;
  const { envelopeId: requestId, nextAttemptAt } = delivery;
  return {
    id,
    event,
    requestId,
    status,
    statusCode,
    durationMs,
    attempts,
    response,
    failure,
    createdAt,
    nextAttemptAt,
  };
}

/** @throws AppError `webhook_not_found` */
export async function requireWebhook({ db }: Dependencies, userId: number, id: number): Promise<Webhook> {
  const webhook = await findWebhook(db, userId, id);
  if (!webhook) throw appError("webhook_not_found");
  return webhook;
}

/**
 * Creates a webhook for events from now on. Only this response contains its secret.
 * @throws AppError `validation` for an address that is not public, `workspace_not_found`, `account_full`,
 * `unauthenticated` where the password has changed meanwhile
 */
export async function createWebhook(deps: Dependencies, user: User, input: WebhookInput) {
  const userId = user.id;
  const url = publicUrl(deps, input.url);
  const workspaceId =
    input.workspaceId == null ? null : await requireWorkspace(deps, userId, input.workspaceId);
  const now = deps.clock.now().toISOString();
  const secret = createWebhookSecret();
  const { events, description } = input;
  const row = { url, events, description, workspaceId, secret, createdAt: now, updatedAt: now };
  const max = LIMITS.webhooksPerAccount;
  const webhook = await insertWebhook(deps.db, user, row, max).catch(async (error: unknown) => {
    if (!isWebhookRejected(error)) throw error;
    const isFull = (await listWebhooks(deps.db, userId)).length >= max;
    throw isFull ? appError("account_full", { params: { max } }) : appError("unauthenticated");
  });
  return { ...webhookView(webhook), secret };
}

/** @throws AppError `validation`, `webhook_not_found` */
export async function changeWebhook(
  deps: Dependencies,
  user: User,
  id: number,
  { url: newUrl, enabled, ...changes }: WebhookChanges,
): Promise<Webhook> {
  const { db, clock } = deps;
  const url = newUrl === undefined ? undefined : publicUrl(deps, newUrl);
  const before = await requireWebhook(deps, user.id, id);
  const updatedAt = clock.now().toISOString();
  if (enabled === false) await runBatch(db, switchOffWebhook(db, user.id, id, updatedAt));
  const switchedOn = enabled === true && !before.enabled;
  const afresh = switchedOn || (url !== undefined && url !== before.url);
  const webhook = await updateWebhook(db, user, id, {
    ...changes,
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled }),
    ...(switchedOn && { sinceEventId: lastEventId }),
    ...(afresh && { failures: 0, failingSince: null, pausedUntil: null }),
    updatedAt,
  });
  if (!webhook) throw appError("webhook_not_found");
  return webhook;
}

/** @throws AppError `webhook_not_found` */
export async function removeWebhook({ db }: Dependencies, userId: number, id: number): Promise<void> {
  if (!(await deleteWebhook(db, userId, id))) throw appError("webhook_not_found");
}

/** A new secret. The old one signs too for a day. @throws AppError `webhook_not_found` */
export async function rotateSecret(deps: Dependencies, user: User, id: number) {
  const now = deps.clock.now();
  const secret = createWebhookSecret();
  const webhook = await replaceWebhookSecret(deps.db, user, id, {
    secret,
    until: new Date(now.getTime() + ROTATION_MS).toISOString(),
    now: now.toISOString(),
  });
  if (!webhook) throw appError("webhook_not_found");
  return { ...webhookView(webhook), secret };
}

/** Sends a test to a webhook. @throws AppError `webhook_not_found`, `webhook_off` */
export async function testWebhook(deps: Dependencies, userId: number, id: number): Promise<WebhookDelivery> {
  await requireEnabled(deps, userId, id);
  const now = deps.clock.now().toISOString();
  const delivery = await insertTest(deps.db, userId, id, now).catch((error: unknown) => {
    throw isTestRejected(error) ? appError("webhook_off") : error;
  });
  sendSoon(deps);
  return delivery;
}

/** Sends a message again, with all attempts. @throws AppError `webhook_not_found`, `not_found`, `webhook_off` */
export async function redeliver(
  deps: Dependencies,
  user: User,
  id: number,
  deliveryId: number,
): Promise<WebhookDelivery> {
  await requireEnabled(deps, user.id, id);
  const now = deps.clock.now().toISOString();
  const delivery = await requeueDelivery(deps.db, user.id, id, { id: deliveryId, now });
  if (!delivery) throw appError("not_found");
  await updateWebhook(deps.db, user, id, { pausedUntil: null });
  sendSoon(deps);
  return delivery;
}

/** Starts sending without waiting for the result. */
export function sendSoon(deps: Dependencies): void {
  deps.background.run("webhooks", () => sendWebhooks(deps));
}

async function requireEnabled(deps: Dependencies, userId: number, id: number): Promise<void> {
  if (!(await requireWebhook(deps, userId, id)).enabled) throw appError("webhook_off");
}

/** @throws AppError `validation` */
function publicUrl({ config }: Dependencies, text: string): string {
  const url = new URL(text);
  const allowed = config.allowsPrivateWebhooks
    ? url.protocol === "https:" || url.protocol === "http:"
    : isPublicUrl(url);
  if (!allowed || url.username || url.password)
    throw validationError([{ path: "url", message: MESSAGES.invalidWebhookUrl }]);
  url.hash = "";
  return url.href;
}
