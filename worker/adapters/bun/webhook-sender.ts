import { lookup } from "node:dns/promises";
import { isAddress, isPublicAddress, isPublicUrl } from "../../lib/public-address";
import { WebhookError, type WebhookSender } from "../../ports/webhook-sender";
import { postMessage } from "../shared/webhook-request";

/** Resolves a host name to its addresses. */
export type Resolve = (name: string) => Promise<string[]>;

const resolveName: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * Resolves the name, checks every address, and connects to an address that was checked. A later change of DNS therefore
 * has no effect, nor has a proxy from the environment, which gets the address. TLS still verifies the certificate
 * against the name.
 * @param allowPrivate for receivers in the operator's own network; this also allows http
 */
export function createWebhookSender(
  { allowPrivate, timeoutMs }: { allowPrivate: boolean; timeoutMs?: number },
  resolve: Resolve = resolveName,
): WebhookSender {
  return {
    slots: 16,
    send: ({ url, headers, body }) =>
      postMessage(async (signal) => {
        const target = new URL(url);
        if (!allowPrivate && !isPublicUrl(target)) throw new WebhookError("address");
        const { hostname, host } = target;
        const addresses = isAddress(hostname) ? [hostname] : await resolve(hostname);
        const [address] = addresses;
        if (address === undefined) throw new WebhookError("unreachable");
        if (!allowPrivate && !addresses.every(isPublicAddress)) throw new WebhookError("address");
        target.hostname = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
        return fetch(target, {
          method: "POST",
          // Bun would decompress what is not read: kilobytes can stand for gigabytes.
          headers: { ...headers, Host: host, "Accept-Encoding": "identity" },
          decompress: false,
          body,
          redirect: "manual",
          signal,
          ...(!isAddress(hostname) && { tls: { serverName: hostname } }),
        });
      }, timeoutMs),
  };
}
