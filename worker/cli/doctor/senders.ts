import { resolve } from "node:path";
import { verifySmtpServer } from "../../adapters/bun/messages/smtp-mailer";
import { connectTcp } from "../../adapters/bun/tcp-connection";
import { createClamdScanner } from "../../adapters/shared/clamd-scanner";
import { verifyTwilioAccount } from "../../adapters/shared/twilio-sms-sender";
import { appConfig, type Variables } from "../../config";
import { scanSample } from "../../features/files/scanning";
import { type Finding, findingsOf, reasonOf } from "./finding";

const MIB = 1024 * 1024;
/** As long as the server waits for a quarantined file. */
const LARGE_SCAN_MS = 150_000;
const CERTIFICATE_ADVICE =
  "use the name in the mail server's certificate as the host in SMTP_URL, or, if the server runs on this machine, add ?ignoreTLS=true";

/** Signs in to the mail server without sending anything. */
export async function checkMail({ SMTP_URL, RESEND_API_KEY, DATA_DIR }: Variables): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf("Mail");
  if (SMTP_URL) {
    const { host, username } = new URL(SMTP_URL);
    return verifySmtpServer(SMTP_URL).then(
      () =>
        ok(
          `${host} answers, ${username ? "and accepts the sign-in" : "and asked for no sign-in, as SMTP_URL has none"}`,
        ),
      (error: unknown) => {
        const reason = reasonOf(error);
        const advice = /certificate/i.test(reason)
          ? CERTIFICATE_ADVICE
          : "check host, port, user and password in SMTP_URL";
        return failure(
          `${host} cannot be used: ${reason}`,
          `${advice}; mail waits in the outbox until then, for up to two days`,
        );
      },
    );
  }
  if (RESEND_API_KEY) return ok("RESEND_API_KEY is set; the first mail shows whether it is accepted");
  return warning(
    `no mail is sent: each is written to ${resolve(DATA_DIR)}/mail`,
    "set SMTP_URL or RESEND_API_KEY",
  );
}

/** Reads the gateway's account without sending anything. */
export async function checkSms(variables: Variables): Promise<Finding[]> {
  const { ok, failure } = findingsOf("SMS");
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_API_URL, DATA_DIR } = variables;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN)
    return ok(`none is sent: each is written to ${resolve(DATA_DIR)}/mail`);
  const countries = appConfig(variables).smsCountries?.join(", ");
  const account = { accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, url: TWILIO_API_URL };
  return verifyTwilioAccount(account).then(
    () => ok(`${new URL(TWILIO_API_URL).host} knows the account; text messages go to ${countries}`),
    (error: unknown) =>
      failure(`${reasonOf(error)}`, "check TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and the network"),
  );
}

/** A stream of zeros. */
function zeros(bytes: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024);
  let left = bytes;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left > 0) controller.enqueue(chunk.subarray(0, Math.min(left, chunk.length)));
      left -= chunk.length;
      if (left <= 0) controller.close();
    },
  });
}

/** Scans a few bytes, then a file of the maximum size. */
export async function checkScanner({ CLAMAV_URL, MAX_FILE_MB }: Variables): Promise<Finding[]> {
  const { ok, failure } = findingsOf("Virus scanner");
  if (!CLAMAV_URL) return [];
  const scanner = createClamdScanner(CLAMAV_URL, connectTcp);
  const verdict = await scanSample(scanner);
  if (verdict.kind === "clean") {
    const largest = await scanner.scan(zeros(MAX_FILE_MB * MIB), AbortSignal.timeout(LARGE_SCAN_MS));
    if (largest.kind === "clean") return ok(`${CLAMAV_URL} scans files, also of ${MAX_FILE_MB} MB`);
    const why = largest.kind === "unknown" ? `: ${largest.reason}` : "";
    return failure(
      `${CLAMAV_URL} does not scan a file of MAX_FILE_MB, ${MAX_FILE_MB} MB${why}`,
      "make StreamMaxLength, MaxFileSize and MaxScanSize in clamd's settings as large as MAX_FILE_MB; larger files stay quarantined, see `quarantine`",
    );
  }
  const reason = verdict.kind === "unknown" ? verdict.reason : `it reports plain text as ${verdict.virus}`;
  return failure(
    `${CLAMAV_URL} cannot be used: ${reason}`,
    "check that clamd runs and listens there; uploads are quarantined until then",
  );
}
