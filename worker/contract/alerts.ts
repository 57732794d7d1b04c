/**
 * What administrators are told of, each with the rule of `deploy/metrics/alerts.yml` that says the same; null without one.
 * `alerts.service.ts` has what finds it, the locales what the mail and the page say.
 */
export const ALERT_RULES = {
  backup_failed: null,
  backup_late: "DoculopesBackupLate",
  files_damaged: null,
  disk_low: "DoculopesDiskLow",
  storage_full: null,
  scanner_down: "DoculopesQuarantine",
  mail_down: "DoculopesMailDelayed",
  store_down: null,
  files_undelivered: null,
  server_failed: "DoculopesDown",
} as const;

export type AlertCause = keyof typeof ALERT_RULES;
export const ALERT_CAUSES = Object.keys(ALERT_RULES) as AlertCause[];
