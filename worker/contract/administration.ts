import * as z from "zod/mini";
import { ALERT_CAUSES } from "./alerts";
import { AUDIT_ACTIONS } from "./audit-actions";
import { bytes, count, emailAddress, entity, id, paging, personName, RESPONSES, text, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import {
  CHANNELS,
  DELIVERY_FAILURES,
  type DeliveryFailure,
  NOTIFICATION_KINDS,
  NOTIFICATION_STATUSES,
  type NotificationKind,
} from "./notifications";
import { ROLES } from "./options";
import { NO_QUOTA } from "./quotas";

/** Who may create an account; README.md says what each mode allows. The first account can always be created. */
export const SIGN_UP_MODES = ["open", "domains", "invite", "administrators", "off"] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

export const ACCOUNTS_PER_PAGE = 50;

/** `?search=` finds accounts by a part of their address or name. */
export const accountsQuery = z.object({ search: z.optional(text(LIMITS.email)), ...paging() });
export type AccountsQuery = z.output<typeof accountsQuery>;

const day = z.pipe(z.string().check(z.maxLength(LIMITS.timestamp, { abort: true })), z.iso.date());

const auditFilter = {
  action: z.optional(z.enum(AUDIT_ACTIONS)),
  person: z
    .optional(text(LIMITS.email))
    .check(z.describe("A part of the address of who acted or who is concerned")),
  from: z.optional(day).check(z.describe("The first day, in UTC")),
  to: z.optional(day).check(z.describe("The last day, in UTC")),
};
export const auditFilterQuery = z.object(auditFilter);
export type AuditFilter = z.output<typeof auditFilterQuery>;
export const pagingQuery = z.object(paging());
export type PagingQuery = z.output<typeof pagingQuery>;
export const auditQuery = z.object({ ...auditFilter, ...paging() });
export type AuditQuery = z.output<typeof auditQuery>;

/** Messages that have failed for good, or that wait. */
export const outboxQuery = z.object({ status: z.optional(z.enum(["failed", "queued"])), ...paging() });
export type OutboxQuery = z.output<typeof outboxQuery>;

/** Bytes; null for the instance's limit, -1 for none. */
export const quotaInput = z.object({
  bytes: z.nullable(z.int().check(z.minimum(NO_QUOTA), z.maximum(LIMITS.accountQuota))),
});

/** Bytes; null for no limit. */
export const workspaceQuotaInput = z.object({
  bytes: z.nullable(z.int().check(z.minimum(0), z.maximum(LIMITS.accountQuota))),
});

export const workspaceUseResponse = entity("WorkspaceUse", {
  id,
  name: z.string(),
  owner: z.string().check(z.describe("The address of the owner of record")),
  members: count,
  envelopes: count,
  storageBytes: bytes.check(z.describe("Of all its files and texts, whoever they belong to")),
  storageQuota: z.nullable(bytes).check(z.describe("Its limit; null for none but those of accounts")),
});

export const invitationInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress) });

export const accountResponse = entity("Account", {
  id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  isVerified: z.boolean(),
  isAdministrator: z.boolean(),
  createdAt: time,
  lastSeenAt: z.nullable(time),
  disabledAt: z.nullable(time),
  storageQuota: z
    .nullable(z.int())
    .check(z.describe("Its own limit in bytes; -1 for no limit, null for the instance's")),
  storageLimit: z.nullable(bytes).check(z.describe("The effective limit; null for none")),
  envelopes: count.check(z.describe("That are assigned to it")),
  workspaces: count.check(z.describe("Of which it is a member")),
  ownedWorkspaces: count.check(z.describe("Of which it is an owner")),
  storageBytes: bytes.check(
    z.describe("Of the envelopes assigned to it, uploads included, and of the texts it has created"),
  ),
  reservedBytes: bytes.check(
    z.describe("What counts towards the limit as well: bytes that uploads have declared"),
  ),
});

/** What is deleted with an account, and what stays in workspaces of others. */
const accountRemoval = z.object({
  workspaces: count,
  envelopes: count,
  storageBytes: bytes,
  keptWorkspaces: count,
  keptEnvelopes: count,
  keptBytes: bytes,
  keptBy: z.nullable(z.string()).check(z.describe("The addresses of the owners who take them over")),
});
export type AccountRemoval = z.output<typeof accountRemoval>;

export const accountDetailResponse = z
  .extend(accountResponse, {
    removal: accountRemoval.check(z.describe("What deleting the account would do")),
    secondFactors: z.object({ totp: z.boolean(), passkeys: count, recoveryCodesLeft: count }),
  })
  .register(RESPONSES, { id: "AccountDetail" });

export const instanceResponse = entity("Instance", {
  version: z.string(),
  schema: z.string(),
  signUp: z.enum(SIGN_UP_MODES),
  signUpChosen: z.boolean().check(z.describe("Whether `SIGN_UP` is set")),
  administrators: count,
  accounts: z.object({
    total: count,
    disabled: count,
    active: count.check(z.describe("Seen in the last 30 days")),
  }),
  envelopes: z.object({
    total: count,
    draft: count,
    scheduled: count,
    pending: count,
    completed: count,
    expired: count,
  }),
  workspaces: z.object({
    total: count,
    shared: count.check(z.describe("With more than one member")),
    memberships: count,
    invitations: count.check(z.describe("To a workspace, neither used nor past")),
  }),
  storage: z.object({
    files: count,
    bytes,
    uploadsUnderWay: count,
    largest: z.array(z.object({ id, email: z.string(), bytes })),
    accountLimit: z
      .nullable(bytes)
      .check(z.describe("Of an account without a limit of its own; null for none")),
  }),
  outbox: z.object({
    waiting: count,
    failed: count.check(z.describe("In the last 7 days")),
    oldestWaiting: z.nullable(time),
    sendsMail: z.boolean(),
  }),
  scanner: z.object({ configured: z.boolean(), quarantined: count }),
  webhooks: z.object({ total: count, enabled: count, failing: count, waiting: count }),
  destinations: z.object({
    total: count,
    stopped: count.check(z.describe("Full, without access, or not taking files")),
    waiting: count.check(z.describe("Files")),
    failed: count.check(z.describe("Files, in the last 7 days")),
  }),
  jobs: z.array(z.object({ job: z.string(), lastRun: time })),
  alerts: z
    .array(z.object({ cause: z.enum(ALERT_CAUSES), since: time }))
    .check(z.describe("What the administrators were told of, since which hour; looked for each hour")),
  disk: z
    .nullable(z.object({ freeBytes: bytes, sizeBytes: bytes }))
    .check(z.describe("The disk with the data; null if it is elsewhere")),
  lastBackup: z
    .nullable(time)
    .check(z.describe("The hour of the last complete backup or export; null if none is recorded")),
});

export const outboxMessageResponse = entity("OutboxMessage", {
  id,
  kind: z.enum(Object.keys(NOTIFICATION_KINDS) as NotificationKind[]),
  channel: z.enum(CHANNELS),
  status: z.enum(NOTIFICATION_STATUSES),
  account: z.nullable(z.string()).check(z.describe("The address of the account on whose behalf it is sent")),
  accountId: z.nullable(id),
  envelopeId: z.nullable(id),
  attempts: count,
  failure: z.nullable(z.enum(Object.keys(DELIVERY_FAILURES) as DeliveryFailure[])),
  error: z.nullable(z.string()).check(z.describe("What the server said, without addresses")),
  createdAt: time,
  nextAttemptAt: time.check(z.describe("Of a failed message, when it failed")),
  canRetry: z.boolean().check(z.describe("False if it had a link that has ended")),
});

export const outboxRetryResponse = entity("OutboxRetry", {
  left: count.check(z.describe("How many failed messages the next call can queue again")),
});

export const testMailResponse = entity("TestMail", {
  to: z.string(),
  sent: z.boolean(),
  sendsMail: z
    .boolean()
    .check(z.describe("False if no mail server is configured: the mail is only written to a folder")),
  error: z.nullable(z.string()).check(z.describe("Why it was not sent, in the words of the mail server")),
});

export const invitationResponse = entity("Invitation", {
  id,
  email: z.string(),
  createdAt: time,
  expiresAt: time,
});

export const invitationLinkResponse = entity("InvitationLink", {
  email: z.string(),
  expiresAt: time,
  workspace: z.optional(z.object({ name: z.string() })).check(z.describe("Of an invitation to a workspace")),
  role: z.optional(z.enum(ROLES)),
  invitedBy: z.optional(z.object(personName)),
  hasAccount: z.optional(z.boolean()),
});

export type InvitationLink = z.output<typeof invitationLinkResponse>;

export const auditEntryResponse = entity("AuditEntry", {
  id,
  createdAt: time,
  action: z.enum(AUDIT_ACTIONS),
  actor: z.string().check(z.describe("The administrator's address, or `command`")),
  actorId: z.nullable(id),
  address: z.nullable(z.string()),
  subject: z.string(),
  subjectId: z.nullable(id),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
