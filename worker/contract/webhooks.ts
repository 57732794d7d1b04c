import * as z from "zod/mini";
import { WEBHOOK_EVENTS } from "./envelope-events";
import { count, entity, id, optionalText, outgoingUrl, paging, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

/** A webhook is switched off after this many days without a successful delivery. */
export const WEBHOOK_FAILING_DAYS = 5;

/** Why an attempt failed: the response's status, or why there was no response. */
export const WEBHOOK_FAILURES = ["status", "timeout", "unreachable", "address", "switched_off"] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

const events = z.pipe(
  z
    .array(z.enum(WEBHOOK_EVENTS))
    .check(z.minLength(1, MESSAGES.webhookEventsRequired), z.maxLength(WEBHOOK_EVENTS.length * 2)),
  z.transform((names) => [...new Set(names)]),
);

const description = optionalText(LIMITS.name);

export const webhookInput = z.object({
  url: outgoingUrl,
  events,
  description,
  workspaceId: z.nullish(rowId),
});
export type WebhookInput = z.output<typeof webhookInput>;

/** Absent fields stay unchanged. */
export const webhookChanges = z.object({
  url: z.optional(outgoingUrl),
  events: z.optional(events),
  description: z.optional(description),
  enabled: z.optional(z.boolean()),
});
export type WebhookChanges = z.output<typeof webhookChanges>;

export const deliveriesQuery = z.object(paging());

const webhook = {
  id,
  workspaceId: z.nullable(id),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: z.nullable(z.string()),
  enabled: z.boolean(),
  apiTokenId: z.nullable(id).check(z.describe("The API token that it ends with")),
  needsNewSecret: z
    .boolean()
    .check(z.describe("Whether somebody who is gone knows the secret: switching it on replaces that")),
  failingSince: z.nullable(time).check(z.describe("When the current series of failures began")),
  createdAt: time,
  updatedAt: time,
};
export const webhookResponse = entity("Webhook", webhook);

export const newWebhookResponse = entity("NewWebhook", {
  ...webhook,
  secret: z.string().check(z.describe("Returned only once")),
});

export const changedWebhookResponse = entity("ChangedWebhook", {
  ...webhook,
  secret: z.optional(z.string()).check(z.describe("Returned only once, if it was replaced")),
});

export const deliveryResponse = entity("WebhookDelivery", {
  id,
  event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
  requestId: z.nullable(id),
  status: z.enum(DELIVERY_STATUSES),
  statusCode: z.nullable(z.int()),
  durationMs: z.nullable(count),
  attempts: count,
  response: z.nullable(z.string()).check(z.describe("The beginning of the last response")),
  failure: z.nullable(z.enum(WEBHOOK_FAILURES)).check(z.describe("Why the last attempt failed")),
  createdAt: time,
  nextAttemptAt: z.nullable(time),
});
