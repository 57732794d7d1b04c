import type { Delivery } from "./webhooks.queries";

/** The key of each event's name. */
export const EVENT_NAMES = {
  "request.sent": "webhooks.names.sent",
  "request.opened": "webhooks.names.opened",
  "request.submitted": "webhooks.names.submitted",
  "request.returned": "webhooks.names.returned",
  "request.accepted": "webhooks.names.accepted",
  "request.expired": "webhooks.names.expired",
  "request.deleted": "webhooks.names.deleted",
  "notification.failed": "webhooks.names.notDelivered",
  "webhook.test": "webhooks.names.test",
} as const satisfies Record<Delivery["event"], string>;
