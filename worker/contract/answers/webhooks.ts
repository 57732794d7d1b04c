import * as z from "zod";
import { WEBHOOK_EVENTS } from "../options";
import { DELIVERY_STATUSES, WEBHOOK_FAILURES } from "../webhooks";
import { count, id, moment, text } from "./fields";

const webhook = {
  id,
  workspaceId: id.nullable(),
  url: text,
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: text.nullable(),
  enabled: z.boolean(),
  failingSince: moment.nullable().describe("When the current series of failures began"),
  createdAt: moment,
  updatedAt: moment,
};
const Webhook = z.object(webhook);
const NewWebhook = z.object({ ...webhook, secret: text.describe("Returned only once") });

const WebhookDelivery = z.object({
  id,
  event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
  requestId: id.nullable(),
  status: z.enum(DELIVERY_STATUSES),
  statusCode: z.int().nullable(),
  durationMs: count.nullable(),
  attempts: count,
  response: text.nullable().describe("The beginning of the last answer"),
  failure: z.enum(WEBHOOK_FAILURES).nullable().describe("Why the last attempt failed"),
  createdAt: moment,
  nextAttemptAt: moment.nullable(),
});

export const WEBHOOK_ANSWERS = { Webhook, NewWebhook, WebhookDelivery };
