import * as z from "zod";
import { WEBHOOK_EVENTS } from "./envelope-events";
import { count, id, optionalText, paging, RESPONSES, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

/** A webhook is switched off after this many days without a successful delivery. */
export const WEBHOOK_FAILING_DAYS = 5;

/** Why an attempt failed: the response's status, or why there was no response. */
export const WEBHOOK_FAILURES = ["status", "timeout", "unreachable", "address", "switched_off"] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

const url = z
  .string({ error: (issue) => (issue.input == null ? MESSAGES.webhookUrlRequired : undefined) })
  .trim()
  .min(1, { abort: true, error: MESSAGES.webhookUrlRequired })
  .max(LIMITS.webhookUrl, { abort: true, error: MESSAGES.invalidWebhookUrl })
  .refine((value) => URL.canParse(value), MESSAGES.invalidWebhookUrl);

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, MESSAGES.webhookEventsRequired)
  .max(WEBHOOK_EVENTS.length * 2)
  .transform((names) => [...new Set(names)]);

const description = optionalText(LIMITS.name);

export const webhookInput = z.object({ url, events, description, workspaceId: rowId.nullish() });
export type WebhookInput = z.output<typeof webhookInput>;

/** Absent fields stay unchanged. */
export const webhookChanges = z.object({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
});
export type WebhookChanges = z.output<typeof webhookChanges>;

export const deliveriesQuery = z.object(paging());

const webhook = {
  id,
  workspaceId: id.nullable(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: z.string().nullable(),
  enabled: z.boolean(),
  apiTokenId: id.nullable().describe("The API token that it ends with"),
  failingSince: time.nullable().describe("When the current series of failures began"),
  createdAt: time,
  updatedAt: time,
};
export const webhookResponse = z.object(webhook).register(RESPONSES, { id: "Webhook" });

export const newWebhookResponse = z
  .object({ ...webhook, secret: z.string().describe("Returned only once") })
  .register(RESPONSES, { id: "NewWebhook" });

export const deliveryResponse = z
  .object({
    id,
    event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
    requestId: id.nullable(),
    status: z.enum(DELIVERY_STATUSES),
    statusCode: z.int().nullable(),
    durationMs: count.nullable(),
    attempts: count,
    response: z.string().nullable().describe("The beginning of the last response"),
    failure: z.enum(WEBHOOK_FAILURES).nullable().describe("Why the last attempt failed"),
    createdAt: time,
    nextAttemptAt: time.nullable(),
  })
  .register(RESPONSES, { id: "WebhookDelivery" });
