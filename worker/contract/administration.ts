/** Who may make an account: anybody, whoever was invited, or nobody. The first account may always be made. */
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
