/** What the audit log records. */
export const AUDIT_ACTIONS = [
  "account_created",
  "account_promoted",
  "account_demoted",
  "account_disabled",
  "account_enabled",
  "account_deleted",
  "quota_changed",
  "workspace_quota_changed",
  "password_reset_sent",
  "invitation_sent",
  "invitation_withdrawn",
  "file_released",
  "factor_added",
  "factor_removed",
  "recovery_codes_renewed",
  "sign_in_link_made",
  "two_factor_reset",
  "messages_retried",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * The ways in which accounts come, and whether they may then invite people without an account where not everybody may:
 * whoever the operator or an administrator has let in.
 */
export const ACCOUNT_WAYS = {
  setup_link: true,
  administration: true,
  invitation: true,
  workspace_invitation: false,
  domain: false,
  registration: false,
  provider: false,
} as const;
export type AccountWay = keyof typeof ACCOUNT_WAYS;
