import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { listDeliveries } from "../../../db/queries/webhook-deliveries";
import { listWebhooks } from "../../../db/queries/webhooks";
import type { AppEnv } from "../../app-env";
import { LIMITS } from "../../contract/limits";
import { deliveriesQuery, webhookChanges, webhookInput } from "../../contract/webhooks";
import { RATE_RULES } from "../../lib/rate-rules";
import { describe } from "../../middleware/describe";
import { noIdempotencyKey } from "../../middleware/idempotency";
import { linkNextPage } from "../../middleware/next-page";
import { countTry } from "../../middleware/rate-limit";
import { requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
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

const GONE = ["webhook_not_found", "not_found"] as const;

/** Sends webhooks after every successful write; the database knows which events are new. */
export const webhooksAfter = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method !== "GET" && c.req.method !== "HEAD" && c.res.ok) sendSoon(c.var.deps);
});

/** URLs of a user's own programs that are notified of events. */
export const webhookRoutes = new Hono<AppEnv>()
  .get("/", requireUser, describe("List the webhooks", { 200: "Webhook[]" }), async (c) =>
    c.json((await listWebhooks(c.var.deps.db, c.var.user.id)).map(webhookView)),
  )
  .post(
    "/",
    requireUser,
    describe("Create a webhook", { 201: "NewWebhook" }, ["workspace_not_found", "account_full"]),
    noIdempotencyKey,
    requireJson,
    jsonBody(webhookInput),
    async (c) => {
      const webhook = await createWebhook(c.var.deps, c.var.user, c.req.valid("json"));
      c.var.deps.log.info("webhook created", { userId: c.var.user.id, webhookId: webhook.id });
      return c.json(webhook, 201);
    },
  )
  .patch(
    "/:id",
    requireUser,
    describe("Change a webhook", { 200: "Webhook" }, GONE),
    requireJson,
    jsonBody(webhookChanges),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      return c.json(webhookView(await changeWebhook(c.var.deps, c.var.user, id, c.req.valid("json"))));
    },
  )
  .delete("/:id", requireUser, describe("Delete a webhook", { 204: null }, GONE), async (c) => {
    await removeWebhook(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
    return c.body(null, 204);
  })
  .post(
    "/:id/test",
    requireUser,
    describe("Send a test to a webhook", { 201: "WebhookDelivery" }, [...GONE, "webhook_off"], {
      details: "Its type is `webhook.test`.",
    }),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      return c.json(deliveryView(await testWebhook(c.var.deps, c.var.user.id, id)), 201);
    },
  )
  .post(
    "/:id/rotate",
    requireUser,
    describe("Replace the secret of a webhook", { 200: "NewWebhook" }, GONE, {
      details: "For a day, messages are signed with the old secret too.",
    }),
    noIdempotencyKey,
    async (c) => {
      const webhook = await rotateSecret(c.var.deps, c.var.user, rowIdParam(c.req.param("id")));
      c.var.deps.log.info("webhook secret replaced", { userId: c.var.user.id, webhookId: webhook.id });
      return c.json(webhook);
    },
  )
  .get(
    "/:id/deliveries",
    requireUser,
    describe("List the deliveries of a webhook", { 200: "WebhookDelivery[]" }, GONE),
    query(deliveriesQuery),
    async (c) => {
      const { db } = c.var.deps;
      const { id } = await requireWebhook(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
      const { limit = LIMITS.deliveriesPage, cursor } = c.req.valid("query");
      const { rows, next } = await listDeliveries(db, c.var.user.id, id, { limit, cursor });
      linkNextPage(c, next);
      return c.json(rows.map(deliveryView));
    },
  )
  .post(
    "/:id/deliveries/:deliveryId/redeliver",
    requireUser,
    describe("Send a delivery again", { 200: "WebhookDelivery" }, [...GONE, "webhook_off"]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const deliveryId = rowIdParam(c.req.param("deliveryId"));
      await countTry(c, RATE_RULES.webhookTries, String(c.var.user.id));
      return c.json(deliveryView(await redeliver(c.var.deps, c.var.user, id, deliveryId)));
    },
  );
