import * as z from "zod";
import { AUDIT_ACTIONS } from "./audit-actions";
import { bytes, count, emailAddress, id, paging, RESPONSES, text, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { ROLES } from "./options";
import { NO_QUOTA } from "./quotas";

/** Who may create an account: anybody, only invited addresses, or nobody. The first account can always be created. */
export const SIGN_UP_MODES = ["open", "invite", "off"] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

export const ACCOUNTS_PER_PAGE = 50;

/** `?search=` finds accounts by a part of their address or name. */
export const accountsQuery = z.object({ search: text(LIMITS.email).optional(), ...paging() });
export type AccountsQuery = z.output<typeof accountsQuery>;

const day = z.string().max(LIMITS.timestamp, { abort: true }).pipe(z.iso.date());

const auditFilter = {
  action: z.enum(AUDIT_ACTIONS).optional(),
  person: text(LIMITS.email).optional().describe("A part of the address of who acted or who is concerned"),
  from: day.optional().describe("The first day, in UTC"),
  to: day.optional().describe("The last day, in UTC"),
};
export const auditFilterQuery = z.object(auditFilter);
export type AuditFilter = z.output<typeof auditFilterQuery>;
export const auditQuery = z.object({ ...auditFilter, ...paging() });
export type AuditQuery = z.output<typeof auditQuery>;

/** Bytes; null for the instance's limit, -1 for none. */
export const quotaInput = z.object({ bytes: z.int().min(NO_QUOTA).max(LIMITS.accountQuota).nullable() });

export const invitationInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress) });

export const accountResponse = z
  .object({
    id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    isVerified: z.boolean(),
    isAdministrator: z.boolean(),
    createdAt: time,
    lastSeenAt: time.nullable(),
    disabledAt: time.nullable(),
    storageQuota: z
      .int()
      .nullable()
      .describe("Its own limit in bytes; -1 for no limit, null for the instance's"),
    storageLimit: bytes.nullable().describe("The effective limit; null for none"),
    envelopes: count,
    workspaces: count.describe("Of which it is a member"),
    ownedWorkspaces: count.describe("Of which it is an owner"),
    storageBytes: bytes.describe("Of its files and of what unfinished uploads have sent"),
    reservedBytes: bytes.describe("What counts towards the limit as well: bytes that uploads have declared"),
  })
  .register(RESPONSES, { id: "Account" });

export const instanceResponse = z
  .object({
    version: z.string(),
    schema: z.string(),
    signUp: z.enum(SIGN_UP_MODES),
    accounts: z.object({
      total: count,
      disabled: count,
      active: count.describe("Seen in the last 30 days"),
    }),
    envelopes: z.object({ total: count, draft: count, pending: count, completed: count, expired: count }),
    workspaces: z.object({
      total: count,
      shared: count.describe("With more than one member"),
      memberships: count,
      invitations: count.describe("To a workspace, neither used nor past"),
    }),
    storage: z.object({
      files: count,
      bytes,
      uploadsUnderWay: count,
      largest: z.array(z.object({ id, email: z.string(), bytes })),
      accountLimit: bytes.nullable().describe("Of an account without a limit of its own; null for none"),
    }),
    outbox: z.object({
      waiting: count,
      failed: count.describe("In the last 7 days"),
      oldestWaiting: time.nullable(),
      sendsMail: z.boolean(),
    }),
    scanner: z.object({ configured: z.boolean(), quarantined: count }),
    webhooks: z.object({ total: count, enabled: count, failing: count, waiting: count }),
    jobs: z.array(z.object({ job: z.string(), lastRun: time })),
    lastBackup: time
      .nullable()
      .describe("The hour of the last complete backup or export; null if none is recorded"),
  })
  .register(RESPONSES, { id: "Instance" });

export const testMailResponse = z
  .object({
    to: z.string(),
    sent: z.boolean(),
    sendsMail: z
      .boolean()
      .describe("False if no mail server is configured: the mail is only written to a folder"),
    error: z.string().nullable().describe("Why it was not sent, in the words of the mail server"),
  })
  .register(RESPONSES, { id: "TestMail" });

export const invitationResponse = z
  .object({ id, email: z.string(), createdAt: time, expiresAt: time })
  .register(RESPONSES, { id: "Invitation" });

export const invitationLinkResponse = z
  .object({
    email: z.string(),
    expiresAt: time,
    workspace: z.object({ name: z.string() }).optional().describe("Of an invitation to a workspace"),
    role: z.enum(ROLES).optional(),
    invitedBy: z
      .object({
        firstName: z.string().nullable(),
        lastName: z.string().nullable(),
        companyName: z.string().nullable(),
      })
      .optional(),
    hasAccount: z.boolean().optional(),
  })
  .register(RESPONSES, { id: "InvitationLink" });

export type InvitationLink = z.output<typeof invitationLinkResponse>;

export const auditEntryResponse = z
  .object({
    id,
    createdAt: time,
    action: z.enum(AUDIT_ACTIONS),
    actor: z.string().describe("The administrator's address, or `command`"),
    actorId: id.nullable(),
    address: z.string().nullable(),
    subject: z.string(),
    subjectId: id.nullable(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  })
  .register(RESPONSES, { id: "AuditEntry" });
