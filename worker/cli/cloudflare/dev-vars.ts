import type { Variables } from "../../config";

/** Variables that a Worker does not use: its database and files are bindings. */
export const NOT_FOR_WORKERS: ReadonlySet<string> = new Set([
  ...["HOST", "DATA_DIR", "DATABASE_URL", "DATABASE_AUTH_TOKEN", "SMTP_URL"],
  ...["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_REGION"],
  ...["MIN_FREE_MB", "TRUSTED_PROXIES", "STOP_DELAY", "LOG_FORMAT", "METRICS_TOKEN"],
]);

/**
 * The variables of a local Worker: the environment's, with messages sent to the local gateway unless configured
 * otherwise.
 */
export function devVars(variables: Variables, gateway: string): Record<string, string> {
  const given = Object.entries(variables).filter(
    ([name, value]) => value !== undefined && !NOT_FOR_WORKERS.has(name),
  );
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    // Says who can reach the Worker, which decides whether the first account needs the setup link.
    HOST: variables.HOST,
    ...(!variables.RESEND_API_KEY && { RESEND_API_KEY: "local", RESEND_API_URL: gateway }),
    ...(!variables.TWILIO_ACCOUNT_SID && {
      TWILIO_ACCOUNT_SID: "local",
      TWILIO_AUTH_TOKEN: "local",
      TWILIO_FROM: "+15550000000",
      TWILIO_API_URL: gateway,
    }),
  };
}
