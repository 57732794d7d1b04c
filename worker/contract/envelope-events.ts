/** What the timeline of an envelope records, and whether webhooks can subscribe to it as `request.<kind>`. */
export const ENVELOPE_EVENTS = {
  created: { webhook: false },
  sent: { webhook: true },
  updated: { webhook: false },
  assigned: { webhook: false },
  moved: { webhook: false },
  opened: { webhook: true },
  messaged: { webhook: false },
  submitted: { webhook: true },
  returned: { webhook: true },
  accepted: { webhook: true },
  undone: { webhook: false },
  expired: { webhook: true },
  extended: { webhook: false },
  downloaded: { webhook: false },
  reminded: { webhook: false },
  resent: { webhook: false },
  files_deleted: { webhook: false },
  infected: { webhook: false },
} as const satisfies Record<string, { webhook: boolean }>;

export type EnvelopeEventKind = keyof typeof ENVELOPE_EVENTS;

/** `service` means scheduled jobs: expiry and file deletion. */
export const ENVELOPE_ACTORS = ["requestor", "recipient", "service"] as const;
export type EnvelopeActor = (typeof ENVELOPE_ACTORS)[number];

type PublishedKind = {
  [Kind in EnvelopeEventKind]: (typeof ENVELOPE_EVENTS)[Kind]["webhook"] extends true ? Kind : never;
}[EnvelopeEventKind];

const publishedKinds = (Object.keys(ENVELOPE_EVENTS) as EnvelopeEventKind[]).filter(
  (kind): kind is PublishedKind => ENVELOPE_EVENTS[kind].webhook,
);

/** What webhooks can subscribe to: events of envelopes, their deletion, and messages that failed for good. */
export const WEBHOOK_EVENTS = [
  ...publishedKinds.map((kind) => `request.${kind}` as const),
  "request.deleted",
  "notification.failed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
