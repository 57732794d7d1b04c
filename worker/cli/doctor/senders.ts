import { resolve } from "node:path";
import { verifySmtpServer } from "../../adapters/bun/messages/smtp-mailer";
import { connectTcp } from "../../adapters/bun/tcp-connection";
import { createClamdScanner } from "../../adapters/shared/clamd-scanner";
import { verifyTwilioAccount } from "../../adapters/shared/twilio-sms-sender";
import type { Variables } from "../../config";
import { type Finding, findingsOf, reasonOf } from "./finding";

const SCAN_MS = 10_000;

/** Signs in to the mail server without sending anything. */
export async function checkMail({ SMTP_URL, RESEND_API_KEY, DATA_DIR }: Variables): Promise<Finding> {
  const { ok, warning, failure } = findingsOf("Mail");
  if (SMTP_URL) {
    const { host } = new URL(SMTP_URL);
    return verifySmtpServer(SMTP_URL).then(
      () => ok(`${host} answers, and accepts the sign-in`),
      (error: unknown) =>
        failure(
          `${host} cannot be used: ${reasonOf(error)}`,
          "check host, port, user and password in SMTP_URL; mail waits in the outbox until then",
        ),
    );
  }
  if (RESEND_API_KEY) return ok("RESEND_API_KEY is set; the first mail shows whether it is accepted");
  return warning(
    `no mail is sent: each is written to ${resolve(DATA_DIR)}/mail`,
    "set SMTP_URL or RESEND_API_KEY",
  );
}

/** Reads the gateway's account without sending anything. */
export async function checkSms(variables: Variables): Promise<Finding> {
  const { ok, failure } = findingsOf("SMS");
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_API_URL, DATA_DIR } = variables;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN)
    return ok(`none is sent: each is written to ${resolve(DATA_DIR)}/mail`);
  const account = { accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, url: TWILIO_API_URL };
  return verifyTwilioAccount(account).then(
    () => ok(`${new URL(TWILIO_API_URL).host} knows the account`),
    (error: unknown) =>
      failure(`${reasonOf(error)}`, "check TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and the network"),
  );
}

/** Scans a few bytes. */
export async function checkScanner({ CLAMAV_URL }: Variables): Promise<Finding[]> {
  const { ok, failure } = findingsOf("Virus scanner");
  if (!CLAMAV_URL) return [];
  const sample = new Blob(["nothing to find"]).stream();
  const verdict = await createClamdScanner(CLAMAV_URL, connectTcp).scan(sample, AbortSignal.timeout(SCAN_MS));
  if (verdict.kind === "clean") return [ok(`${CLAMAV_URL} scans files`)];
  const reason = verdict.kind === "unknown" ? verdict.reason : `it reports plain text as ${verdict.virus}`;
  return [
    failure(
      `${CLAMAV_URL} cannot be used: ${reason}`,
      "check that clamd runs and listens there; uploads are quarantined until then",
    ),
  ];
}
