import * as z from "zod";
import { emailAddress, text } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { NO_QUOTA } from "./quotas";

/** Who may create an account: anybody, only invited addresses, or nobody. The first account can always be created. */
export const SIGN_UP_MODES = ["open", "invite", "off"] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** What the audit log records. */
export const AUDIT_ACTIONS = [
  "account_disabled",
  "account_enabled",
  "account_deleted",
  "quota_changed",
  "password_reset_sent",
  "invitation_sent",
  "invitation_withdrawn",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

export const ACCOUNTS_PER_PAGE = 50;

const paging = {
  limit: z.coerce.number().pipe(z.int().positive().max(LIMITS.pageMax)).optional(),
  cursor: z.coerce.number().pipe(z.int().positive()).optional(),
};
/** `?search=` finds accounts by a part of their address or name. */
export const accountsQuery = z.object({ search: text(LIMITS.email).optional(), ...paging });
export type AccountsQuery = z.output<typeof accountsQuery>;
export const auditQuery = z.object(paging);
export type AuditQuery = z.output<typeof auditQuery>;

/** Bytes; null for the instance's limit, -1 for none. */
export const quotaInput = z.object({ bytes: z.int().min(NO_QUOTA).max(LIMITS.accountQuota).nullable() });

export const invitationInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress) });
