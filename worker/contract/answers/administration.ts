import * as z from "zod";
import { AUDIT_ACTIONS, SIGN_UP_MODES } from "../administration";
import { bytes, count, id, moment, text } from "./fields";

const Account = z.object({
  id,
  email: text,
  firstName: text.nullable(),
  lastName: text.nullable(),
  isVerified: z.boolean(),
  isAdministrator: z.boolean(),
  createdAt: moment,
  lastSeenAt: moment.nullable(),
  disabledAt: moment.nullable(),
  storageQuota: z
    .int()
    .nullable()
    .describe("Its own limit in bytes; -1 for no limit, null for the instance's"),
  storageLimit: bytes.nullable().describe("The effective limit; null for none"),
  envelopes: count,
  storageBytes: bytes,
});

const Instance = z.object({
  version: text,
  schema: text,
  signUp: z.enum(SIGN_UP_MODES),
  accounts: z.object({
    total: count,
    disabled: count,
    active: count.describe("Seen in the last 30 days"),
  }),
  envelopes: z.object({ total: count, draft: count, pending: count, completed: count, expired: count }),
  storage: z.object({
    files: count,
    bytes,
    uploadsUnderWay: count,
    largest: z.array(z.object({ id, email: text, bytes })),
  }),
  outbox: z.object({
    waiting: count,
    failed: count.describe("In the last 7 days"),
    oldestWaiting: moment.nullable(),
    sendsMail: z.boolean(),
  }),
  scanner: z.object({ configured: z.boolean(), quarantined: count }),
  webhooks: z.object({ total: count, enabled: count, failing: count, waiting: count }),
  jobs: z.array(z.object({ job: text, lastRun: moment })),
});

const Invitation = z.object({ id, email: text, createdAt: moment, expiresAt: moment });
const InvitationLink = z.object({ email: text, expiresAt: moment });

const AuditEntry = z.object({
  id,
  createdAt: moment,
  action: z.enum(AUDIT_ACTIONS),
  actor: text.describe("The administrator's address, or `command`"),
  actorId: id.nullable(),
  address: text.nullable(),
  subject: text,
  subjectId: id.nullable(),
  detail: z.record(text, z.union([text, z.number(), z.null()])),
});

export const ADMINISTRATION_ANSWERS = { Account, Instance, Invitation, InvitationLink, AuditEntry };
