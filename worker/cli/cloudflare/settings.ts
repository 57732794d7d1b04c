import { FOLDER_KEY } from "../../adapters/shared/resend-mailer";
import { VARIABLE_NAMES, type Variables } from "../../config";

/** Variables that Cloudflare stores as secrets. */
export const SECRETS = [
  ...["SECRET_KEY", "RESEND_API_KEY", "TWILIO_AUTH_TOKEN"],
  ...[
    "GOOGLE_CLIENT_SECRET",
    "MICROSOFT_ENTRA_ID_CLIENT_SECRET",
    "GITHUB_CLIENT_SECRET",
    "OIDC_CLIENT_SECRET",
  ],
];

/** Variables that a Worker does not use: its database and files are bindings. */
export const NOT_FOR_WORKERS: ReadonlySet<string> = new Set([
  ...["HOST", "DATA_DIR", "BACKUPS", "DATABASE_URL", "DATABASE_AUTH_TOKEN", "SMTP_URL"],
  ...["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_REGION"],
  ...["MIN_FREE_MB", "TRUSTED_PROXIES", "STOP_DELAY", "DELIVERY_DIR", "LOG_FORMAT", "METRICS_TOKEN"],
]);

/** Variables that `bun run deploy` passes from the environment to the Worker, where it listens on no PORT. */
export const VARS = VARIABLE_NAMES.filter(
  (name) => name !== "PORT" && !SECRETS.includes(name) && !NOT_FOR_WORKERS.has(name),
);

export type Settings = { vars: Record<string, string>; secrets: Record<string, string> };

/** The Worker's settings from the environment. */
export function settingsFrom(environment: Record<string, string | undefined>): Settings {
  return { vars: pick(VARS, environment), secrets: pick(SECRETS, environment) };
}

function pick(names: string[], environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** What a deployed site is still missing, one sentence each. */
export function unsetAdvice(known: { names: ReadonlySet<string>; sendsMail: boolean }): string[] {
  const has = (name: string) => known.names.has(name);
  const advice: string[] = [];
  if (!has("SIGN_UP"))
    advice.push(
      "Sign-up: SIGN_UP is not set, so only the first account can be created, by the setup link; choose who else.",
    );
  if (!known.sendsMail && !has("RESEND_API_KEY"))
    advice.push(
      "Mail: RESEND_API_KEY is not set, so no mail is sent; it waits in the outbox and is retried.",
    );
  if (!has("MAIL_FROM"))
    advice.push("Mail: MAIL_FROM is not set; give an address of a domain you may send from.");
  if (!has("SUPPORT_EMAIL")) advice.push("Help chat: SUPPORT_EMAIL is not set; messages go to MAIL_FROM.");
  if (!has("TWILIO_AUTH_TOKEN"))
    advice.push("SMS: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are not set, so no SMS is sent.");
  for (const provider of ["GOOGLE", "MICROSOFT_ENTRA_ID", "GITHUB"])
    if (!has(`${provider}_CLIENT_SECRET`))
      advice.push(`Sign-in: ${provider}_CLIENT_ID and _SECRET are not set; its button is hidden.`);
  return advice;
}

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
    ...(!variables.RESEND_API_KEY && {
      RESEND_API_KEY: variables.SMTP_URL ? "smtp" : FOLDER_KEY,
      RESEND_API_URL: gateway,
    }),
    ...(!variables.TWILIO_ACCOUNT_SID && {
      TWILIO_ACCOUNT_SID: "local",
      TWILIO_AUTH_TOKEN: "local",
      // No number, of which the country would be the only one that text messages go to.
      TWILIO_FROM: "Doculopes",
      TWILIO_API_URL: gateway,
    }),
  };
}
