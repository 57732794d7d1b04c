import { addressOf, type Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Variables that are valid on their own but not together. */
export function checkConfiguration(variables: Variables): Finding[] {
  const { ok, warning } = findingsOf("Configuration");
  const found = [...checkPublicUrl(variables), ...checkMailSettings(variables)];
  if (variables.RATE_LIMITS === "off")
    found.push(warning("RATE_LIMITS is off, so passwords can be guessed without limit", "unset RATE_LIMITS"));
  return found.length > 0 ? found : [ok("every variable is valid")];
}

function checkPublicUrl({ PUBLIC_URL, HOST, TRUSTED_PROXIES }: Variables): Finding[] {
  const { warning } = findingsOf("Configuration");
  const listensHere = LOOPBACK.includes(HOST);
  if (!PUBLIC_URL) {
    if (listensHere) return [];
    return [
      warning(
        `HOST is ${HOST}, and PUBLIC_URL is not set: links in mails lead to localhost, and changes from other addresses are rejected`,
        "set PUBLIC_URL to the public address",
      ),
    ];
  }
  const { protocol, hostname, pathname } = new URL(PUBLIC_URL);
  const found: Finding[] = [];
  if (protocol === "http:" && !LOOPBACK.includes(hostname))
    found.push(
      warning(
        "PUBLIC_URL is http: passwords, cookies and documents are sent unencrypted",
        "put an https proxy in front, and set PUBLIC_URL to https://",
      ),
    );
  if (protocol === "https:" && TRUSTED_PROXIES === 0)
    found.push(
      warning(
        "PUBLIC_URL is https, which needs a proxy in front, but TRUSTED_PROXIES is 0: all clients share one rate limit",
        "set TRUSTED_PROXIES to the number of your proxies, usually 1",
      ),
    );
  if (pathname !== "/")
    found.push(warning(`PUBLIC_URL has a path, ${pathname}, which is ignored`, "serve the app at the root"));
  return found;
}

function checkMailSettings({ MAIL_FROM, SMTP_URL, RESEND_API_KEY }: Variables): Finding[] {
  const { warning } = findingsOf("Configuration");
  const isLocal = addressOf(MAIL_FROM).endsWith("@localhost");
  if (!isLocal || !(SMTP_URL ?? RESEND_API_KEY)) return [];
  return [
    warning(
      `mail is sent from ${addressOf(MAIL_FROM)}, which most servers reject`,
      "set MAIL_FROM to an address of a domain you may send from",
    ),
  ];
}
