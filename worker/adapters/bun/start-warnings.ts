import type { AppConfig, Variables } from "../../config";
import type { Logger } from "../../ports/logger";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]", "::1"];

/** Warns at the start if PUBLIC_URL, HOST and TRUSTED_PROXIES do not match how the server is reached. */
export function warnOfAddress(
  { HOST, PUBLIC_URL, TRUSTED_PROXIES }: Variables,
  { config, log }: { config: AppConfig; log: Logger },
): void {
  if (!PUBLIC_URL) {
    if (LOOPBACK.includes(HOST)) return;
    const origins = config.allowedOrigins.join(", ");
    log.warn("PUBLIC_URL is not set", {
      reason: `HOST is ${HOST}, but sign-up and every other change are accepted only from ${origins}. Set PUBLIC_URL to the address that people open, such as https://docs.example.com`,
    });
    return;
  }
  const { protocol, hostname } = new URL(PUBLIC_URL);
  if (protocol === "http:" && !LOOPBACK.includes(hostname))
    log.warn("PUBLIC_URL is not https", {
      reason: "Passwords, cookies and documents are sent unencrypted. Put an https proxy in front",
    });
  if (protocol === "https:" && TRUSTED_PROXIES === 0)
    log.warn("TRUSTED_PROXIES is 0", {
      reason:
        "PUBLIC_URL is https, which needs a proxy in front; all clients share its address in rate limits and in the log. Set TRUSTED_PROXIES to the number of your proxies, usually 1",
    });
}
