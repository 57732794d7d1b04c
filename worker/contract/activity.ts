/** What a workspace's activity is about. */
export const ACTIVITY_KINDS = ["requests", "files", "contacts", "members", "settings"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** What a workspace's activity records, and the kind of it. */
export const ACTIVITY = {
  "request.sent": "requests",
  "request.scheduled": "requests",
  "request.assigned": "requests",
  "request.deleted": "requests",
  "request.moved": "requests",
  "files.downloaded": "files",
  "contacts.imported": "contacts",
  "contacts.deleted": "contacts",
  "template.deleted": "contacts",
  "series.created": "requests",
  "series.deleted": "requests",
  "member.invited": "members",
  "invitation.changed": "members",
  "invitation.revoked": "members",
  "member.joined": "members",
  "member.role_changed": "members",
  "member.removed": "members",
  "member.left": "members",
  "owner.restored": "members",
  "workspace.changed": "settings",
  "webhook.created": "settings",
  "webhook.deleted": "settings",
  "destination.created": "settings",
  "destination.changed": "settings",
  "destination.deleted": "settings",
} as const satisfies Record<string, ActivityKind>;
export type ActivityType = keyof typeof ACTIVITY;
export const ACTIVITY_TYPES = Object.keys(ACTIVITY) as [ActivityType, ...ActivityType[]];

/** Of envelopes only the id is recorded: nothing else of what is deleted stays. */
export type ActivityTarget = { id?: number | null; name?: string | null; email?: string | null };
/** A changed field, with the text of its values if they are short. */
export type ActivityChange = { field: string; from: string | null; to: string | null };
export type ActivityDetail = { changes?: ActivityChange[]; count?: number };
