const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: a prefix and the key in base64. */
export function createWebhookSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_BYTES)).toBase64();
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com) for a message: its id, the time of this attempt
 * and a signature for each secret.
 */
export async function signatureHeaders(
  message: { id: string; now: Date; body: string },
  secrets: readonly string[],
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(message.now.getTime() / 1000));
  const signed = new TextEncoder().encode(`${message.id}.${timestamp}.${message.body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, signed)));
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

async function sign(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)).toBase64()}`;
}
