import type { Statement } from "../../../db/client";
import type { KeyClaim } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import {
  insertTest,
  isTestRejected,
  lastEventId,
  requeueDelivery,
  type WebhookDelivery,
} from "../../../db/queries/webhook-deliveries";
import {
  countWebhooks,
  deleteSomeDeliveries,
  deleteWebhook,
  endSomeDeliveries,
  findWebhook,
  insertWebhook,
  isWebhookRejected,
  type Owner,
  replaceWebhookSecret,
  switchOffWebhook,
  updateWebhook,
  type Webhook,
  withOwnSecret,
} from "../../../db/queries/webhooks";
import { activityTarget, insertActivity } from "../../../db/queries/workspace-activity";
import { fieldsOf } from "../../contract/fields";
import { SERVER_LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import {
  deliveryResponse,
  type WebhookChanges,
  type WebhookInput,
  webhookResponse,
} from "../../contract/webhooks";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required, validationError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { isPublicUrl } from "../../lib/public-address";
import { missing, requireWorkspace } from "../workspaces/workspaces.service";
import { createWebhookSecret } from "./webhook-message";

/** How long the previous secret also signs after a rotation. */
const ROTATION_MS = DAY_MS;

/** The webhook as its owner sees it, without its secret. */
export const webhookView = (webhook: Webhook) =>
  fieldsOf(webhookResponse, { ...webhook, needsNewSecret: webhook.secretSeenBy === null });

export const deliveryView = (delivery: WebhookDelivery) =>
  fieldsOf(deliveryResponse, { ...delivery, requestId: delivery.envelopeId });

const noWebhook = (deps: Dependencies, member: Member, id: number) =>
  missing(deps, member, "webhook_not_found", { kind: "webhook", id });

/** @throws AppError `webhook_not_found`, `role_required` */
export async function requireWebhook(deps: Dependencies, member: Member, id: number): Promise<Webhook> {
  const webhook = await findWebhook(deps.db, member, id);
  if (!webhook) throw await noWebhook(deps, member, id);
  return webhook;
}

/**
 * Creates a webhook for events from now on. Only this response contains its secret.
 * @throws AppError `validation` for an address that is not public, `workspace_not_found`, `account_full`,
 * `unauthenticated` where the password has changed meanwhile
 */
export async function createWebhook(deps: Dependencies, owner: Owner, input: WebhookInput) {
  const url = publicUrl(deps, input.url);
  // A token that is limited to a workspace adds a webhook of that workspace.
  const chosen = input.workspaceId ?? owner.member.workspaceId;
  const workspaceId = chosen === undefined ? null : await requireWorkspace(deps, owner.member, chosen);
  const now = deps.clock.now().toISOString();
  const secret = createWebhookSecret();
  const { events, description } = input;
  const row = { url, events, description, workspaceId, secret, createdAt: now, updatedAt: now };
  const max = SERVER_LIMITS.webhooksPerAccount;
  const recorded = activity(deps, owner.member, "webhook.created", row);
  const webhook = await insertWebhook(deps.db, owner, row, { max, recorded }).catch(
    async (error: unknown) => {
      if (!isWebhookRejected(error)) throw error;
      if (workspaceId !== null) await requireWorkspace(deps, owner.member, workspaceId);
      const isFull = (await countWebhooks(deps.db, owner.id)) >= max;
      throw isFull ? appError("account_full", { params: { max } }) : appError("unauthenticated");
    },
  );
  return { ...webhookView(webhook), secret };
}

/** The activity of the webhook's workspace; nothing for a webhook without one. */
function activity(
  { db, clock }: Dependencies,
  member: Member,
  type: "webhook.created" | "webhook.deleted",
  { workspaceId, url, description }: Pick<Webhook, "workspaceId" | "url" | "description">,
): Statement[] {
  if (workspaceId === null) return [];
  const target = activityTarget({ name: description ?? new URL(url).host });
  return [insertActivity(db, member, { workspaceId, type, target, now: clock.now().toISOString() })];
}

/**
 * Changes a webhook. If somebody who is gone knows its secret, switching it on replaces that, and only this response contains
 * the new one.
 * @throws AppError `validation`, `webhook_not_found`
 */
export async function changeWebhook(
  deps: Dependencies,
  owner: Owner,
  id: number,
  { url: newUrl, enabled, ...changes }: WebhookChanges,
) {
  const { db, clock } = deps;
  const url = newUrl === undefined ? undefined : publicUrl(deps, newUrl);
  const before = await requireWebhook(deps, owner.member, id);
  const updatedAt = clock.now().toISOString();
  const secret = createWebhookSecret();
  const cancelled = enabled === false ? switchOffWebhook(db, owner.member, id, updatedAt) : [];
  const switchedOn = enabled === true && !before.enabled;
  const afresh = switchedOn || (url !== undefined && url !== before.url);
  // Whoever changes where it sends takes it over. Of those who only save it, an account takes it over from its own token.
  const saves = owner.apiTokenId === null && before.userId === owner.id;
  const handsOver = afresh || (saves && (url !== undefined || enabled === true));
  const columns = {
    ...changes,
    ...(handsOver && { apiTokenId: owner.apiTokenId }),
    ...(handsOver && before.workspaceId !== null && { userId: owner.id }),
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled }),
    ...(enabled === true && withOwnSecret(owner, secret)),
    ...(url !== undefined && url !== before.url && { madeBy: owner.id }),
    ...(switchedOn && { sinceEventId: lastEventId }),
    ...(afresh && { failures: 0, failingSince: null, pausedUntil: null }),
    updatedAt,
  };
  // Before it may send again, or after it is sure that it does not.
  if (enabled === true) await endDeliveries(deps, id);
  const webhook = await required(updateWebhook(db, owner, id, columns, cancelled), "webhook_not_found");
  if (enabled === false) await endDeliveries(deps, id);
  return { ...webhookView(webhook), ...(webhook.secret === secret && { secret }) };
}

/** Cancels what waits for a webhook that is switched off. Others are served between parts of much. */
async function endDeliveries({ db, takeTurn }: Dependencies, id: number): Promise<void> {
  while (await endSomeDeliveries(db, id)) await takeTurn?.();
}

/** @throws AppError `webhook_not_found` */
export async function removeWebhook(deps: Dependencies, member: Member, id: number): Promise<void> {
  const webhook = await requireWebhook(deps, member, id);
  const recorded = activity(deps, member, "webhook.deleted", webhook);
  const part = { id, now: deps.clock.now().toISOString() };
  while (deps.takeTurn && (await deleteSomeDeliveries(deps.db, member, part))) await deps.takeTurn();
  if (!(await deleteWebhook(deps.db, member, id, recorded))) throw await noWebhook(deps, member, id);
}

/** A new secret. The old one signs too for a day. @throws AppError `webhook_not_found` */
export async function rotateSecret(deps: Dependencies, owner: Owner, id: number) {
  const now = deps.clock.now();
  const secret = createWebhookSecret();
  const webhook = await replaceWebhookSecret(deps.db, owner, id, {
    secret,
    until: new Date(now.getTime() + ROTATION_MS).toISOString(),
    now: now.toISOString(),
  });
  if (!webhook) throw await noWebhook(deps, owner.member, id);
  return { ...webhookView(webhook), secret };
}

/** Sends a test to a webhook. @throws AppError `webhook_not_found`, `webhook_off` */
export async function testWebhook(
  deps: Dependencies,
  member: Member,
  id: number,
  claim?: KeyClaim,
): Promise<WebhookDelivery> {
  await requireEnabled(deps, member, id);
  const now = deps.clock.now().toISOString();
  const delivery = await insertTest(deps.db, member, id, now, claim).catch(
    rejectedAs(isTestRejected, "webhook_off"),
  );
  sendSoon(deps);
  return delivery;
}

/** Sends a message again, with all attempts. @throws AppError `webhook_not_found`, `not_found`, `webhook_off` */
export async function redeliver(
  deps: Dependencies,
  owner: Owner,
  id: number,
  deliveryId: number,
): Promise<WebhookDelivery> {
  await requireEnabled(deps, owner.member, id);
  const now = deps.clock.now().toISOString();
  const requeued = requeueDelivery(deps.db, owner.member, id, { id: deliveryId, now });
  const delivery = await required(requeued, "not_found");
  await updateWebhook(deps.db, owner, id, { pausedUntil: null });
  sendSoon(deps);
  return delivery;
}

/** Starts sending without waiting for the result. */
export function sendSoon(deps: Dependencies): void {
  deps.background.run("webhooks", async () => {
    const { sendWebhooks } = await import("./webhooks.sender");
    await sendWebhooks(deps);
  });
}

async function requireEnabled(deps: Dependencies, member: Member, id: number): Promise<void> {
  if (!(await requireWebhook(deps, member, id)).enabled) throw appError("webhook_off");
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
