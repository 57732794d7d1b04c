/**
 * What the timeline of an envelope records: whether webhooks can subscribe to it as `request.<kind>`, and whether it may be
 * why the recipient is asked for documents, so that a reminder belongs to it.
 */
export const ENVELOPE_EVENTS = {
  created: { webhook: false, isRequest: true },
  sent: { webhook: true, isRequest: true },
  scheduled: { webhook: false, isRequest: false },
  not_sent: { webhook: false, isRequest: false },
  updated: { webhook: false, isRequest: true },
  assigned: { webhook: false, isRequest: false },
  moved: { webhook: false, isRequest: false },
  opened: { webhook: true, isRequest: false },
  messaged: { webhook: false, isRequest: false },
  submitted: { webhook: true, isRequest: false },
  returned: { webhook: true, isRequest: true },
  accepted: { webhook: true, isRequest: false },
  undone: { webhook: false, isRequest: false },
  expired: { webhook: true, isRequest: false },
  extended: { webhook: false, isRequest: true },
  downloaded: { webhook: false, isRequest: false },
  reminded: { webhook: false, isRequest: true },
  resent: { webhook: false, isRequest: false },
  link_copied: { webhook: false, isRequest: false },
  link_replaced: { webhook: false, isRequest: true },
  delivered: { webhook: false, isRequest: false },
  files_deleted: { webhook: false, isRequest: false },
  revealed: { webhook: false, isRequest: false },
  answer_deleted: { webhook: false, isRequest: false },
  validity_changed: { webhook: false, isRequest: false },
  infected: { webhook: false, isRequest: false },
} as const satisfies Record<string, { webhook: boolean; isRequest: boolean }>;

export type EnvelopeEventKind = keyof typeof ENVELOPE_EVENTS;

/** `service` means scheduled jobs: expiry and file deletion. */
export const ENVELOPE_ACTORS = ["requestor", "recipient", "service"] as const;
export type EnvelopeActor = (typeof ENVELOPE_ACTORS)[number];

type PublishedKind = {
  [Kind in EnvelopeEventKind]: (typeof ENVELOPE_EVENTS)[Kind]["webhook"] extends true ? Kind : never;
}[EnvelopeEventKind];

const kinds = Object.keys(ENVELOPE_EVENTS) as EnvelopeEventKind[];
const publishedKinds = kinds.filter((kind): kind is PublishedKind => ENVELOPE_EVENTS[kind].webhook);

/** The events that a message about no event of its own belongs to. */
export const REQUEST_EVENTS: readonly EnvelopeEventKind[] = kinds.filter(
  (kind) => ENVELOPE_EVENTS[kind].isRequest,
);

/**
 * What webhooks can subscribe to: events of envelopes and documents, deletions, messages that failed for good, and deliveries
 * of files.
 */
export const WEBHOOK_EVENTS = [
  ...publishedKinds.map((kind) => `request.${kind}` as const),
  "request.deleted",
  "document.expiring",
  "document.expired",
  "notification.failed",
  "file.delivered",
  "destination.failed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
