import * as z from "zod";
import { optionalText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { WEBHOOK_EVENTS } from "./options";

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

export const deliveriesQuery = z.object({
  limit: z.coerce.number().pipe(z.int().positive().max(LIMITS.deliveriesPage)).optional(),
  cursor: z.coerce.number().pipe(rowId).optional(),
});
