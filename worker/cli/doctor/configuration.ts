import { configurationAdvice } from "../../adapters/bun/configuration-advice";
import { addressOf, type Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { ok, warning } = findingsOf("Configuration");

/** What the server warns of at its start, and settings that only tests should have. */
export function checkConfiguration(
  variables: Variables,
  environment: Record<string, string | undefined>,
): Finding[] {
  const found = [
    ...configurationAdvice(variables, environment).flatMap(({ problem, advice }) => warning(problem, advice)),
    ...checkMailSettings(variables),
  ];
  if (variables.RATE_LIMITS === "off")
    found.push(
      ...warning("RATE_LIMITS is off, so passwords can be guessed without limit", "unset RATE_LIMITS"),
    );
  return found.length > 0 ? found : ok("every variable is valid");
}

function checkMailSettings({ MAIL_FROM, SMTP_URL, RESEND_API_KEY }: Variables): Finding[] {
  const isLocal = addressOf(MAIL_FROM).endsWith("@localhost");
  if (!isLocal || !(SMTP_URL ?? RESEND_API_KEY)) return [];
  return warning(
    `mail is sent from ${addressOf(MAIL_FROM)}, which most servers reject`,
    "set MAIL_FROM to an address of a domain you may send from",
  );
}
