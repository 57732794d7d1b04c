import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { listDeliveries } from "../../../db/queries/webhook-deliveries";
import { listWebhooks, type Owner } from "../../../db/queries/webhooks";
import type { AppEnv, UserEnv } from "../../app-env";
import { SERVER_LIMITS } from "../../contract/limits";
import {
  changedWebhookResponse,
  deliveriesQuery,
  deliveryResponse,
  newWebhookResponse,
  webhookChanges,
  webhookInput,
  webhookResponse,
} from "../../contract/webhooks";
import { appError } from "../../errors";
import { respond, whenDone } from "../../middleware/describe";
import { idempotent, noIdempotencyKey } from "../../middleware/idempotency";
import { rowsOf } from "../../middleware/list-pages";
import { countTry } from "../../middleware/rate-limit";
import { requireRecentSession, requireRecentSignIn } from "../../middleware/recent-sign-in";
import { asOwner, forUsers } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";
import {
  changeWebhook,
  createWebhook,
  deliveryView,
  redeliver,
  removeWebhook,
  requireWebhook,
  rotateSecret,
  sendSoon,
  testWebhook,
  webhookView,
} from "./webhooks.service";

const GONE = ["webhook_not_found", "role_required"] as const;

/** The account that calls, and the API token it uses. */
const ownerOf = (c: Context<UserEnv>): Owner => ({
  ...c.var.user,
  member: asOwner(c),
  apiTokenId: c.var.apiToken?.id ?? null,
});

/** Sends webhooks after every successful write; the database knows which events are new. */
export const webhooksAfter = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.ok) sendSoon(c.var.deps);
});

/** URLs of a user's own programs that are notified of events. */
export const webhookRoutes = new Hono<AppEnv>()
  .get("/", forUsers("List the webhooks", { 200: [webhookResponse] }), async (c) =>
    respond(c, (await listWebhooks(c.var.deps.db, asOwner(c))).map(webhookView)),
  )
  .post(
    "/",
    forUsers("Create a webhook", { 201: newWebhookResponse }, [
      "workspace_not_found",
      "role_required",
      "account_full",
    ]),
    requireRecentSignIn,
    noIdempotencyKey,
    jsonBody(webhookInput),
    async (c) => {
      const webhook = await createWebhook(c.var.deps, ownerOf(c), c.req.valid("json"));
      c.var.deps.log.info("webhook created", { userId: c.var.user.id, webhookId: webhook.id });
      return respond(c, webhook);
    },
  )
  .patch(
    "/:id",
    forUsers("Change a webhook", { 200: changedWebhookResponse }, [...GONE, "reauthentication_required"]),
    jsonBody(webhookChanges),
    async (c) => {
      const id = idOf(c);
      const { description, ...changes } = c.req.valid("json");
      if (Object.values(changes).some((value) => value !== undefined)) await requireRecentSession(c.var);
      return respond(c, await changeWebhook(c.var.deps, ownerOf(c), id, c.req.valid("json")));
    },
  )
  .delete("/:id", forUsers("Delete a webhook", { 204: null }, GONE), async (c) =>
    whenDone(c, removeWebhook(c.var.deps, asOwner(c), idOf(c))),
  )
  .post(
    "/:id/test",
    forUsers("Send a test to a webhook", { 201: deliveryResponse }, [...GONE, "webhook_off"], {
      details: "Its type is `webhook.test`.",
    }),
    idempotent(async (c, deliveryId) => {
      const { id } = await requireWebhook(c.var.deps, asOwner(c), idOf(c));
      const latest = { limit: 1, cursor: Number(deliveryId) + 1 };
      const [delivery] = (await listDeliveries(c.var.deps.db, asOwner(c), id, latest)).rows;
      if (delivery?.id !== Number(deliveryId)) throw appError("not_found");
      return deliveryView(delivery);
    }),
    async (c) => {
      const id = idOf(c);
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      return respond(c, deliveryView(await testWebhook(c.var.deps, asOwner(c), id, c.var.claim)));
    },
  )
  .post(
    "/:id/rotate",
    forUsers("Replace the secret of a webhook", { 200: newWebhookResponse }, GONE, {
      details: "For a day, messages are signed with the old secret too.",
    }),
    requireRecentSignIn,
    noIdempotencyKey,
    async (c) => {
      const webhook = await rotateSecret(c.var.deps, ownerOf(c), idOf(c));
      c.var.deps.log.info("webhook secret replaced", { userId: c.var.user.id, webhookId: webhook.id });
      return respond(c, webhook);
    },
  )
  .get(
    "/:id/deliveries",
    forUsers("List the deliveries of a webhook", { 200: [deliveryResponse] }, GONE),
    query(deliveriesQuery),
    async (c) => {
      const { id } = await requireWebhook(c.var.deps, asOwner(c), idOf(c));
      const { limit = SERVER_LIMITS.deliveriesPage, cursor } = c.req.valid("query");
      // Each has a response's text, so a page has fewer than may be asked for.
      const call = { limit: Math.min(limit, SERVER_LIMITS.deliveriesPage), cursor };
      const page = await listDeliveries(c.var.deps.db, asOwner(c), id, call);
      return respond(c, rowsOf(c, page).map(deliveryView));
    },
  )
  .post(
    "/:id/deliveries/:deliveryId/redeliver",
    forUsers("Send a delivery again", { 200: deliveryResponse }, [...GONE, "webhook_off"]),
    async (c) => {
      const id = idOf(c);
      const deliveryId = idOf(c, "deliveryId");
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      return respond(c, deliveryView(await redeliver(c.var.deps, ownerOf(c), id, deliveryId)));
    },
  );
