import { isPublicUrl } from "../../lib/public-address";
import { WebhookError, type WebhookSender } from "../../ports/webhook-sender";
import { postMessage } from "../shared/webhook-request";

/**
 * A Worker neither resolves names nor sees the address it connects to: it checks what the URL says. Its requests leave
 * from Cloudflare's network, which reaches no private one, no loopback and no metadata service of the operator's.
 */
export function createWebhookSender({ allowPrivate }: { allowPrivate: boolean }): WebhookSender {
  return {
    send: ({ url, headers, body }) =>
      postMessage(async (signal) => {
        if (!allowPrivate && !isPublicUrl(new URL(url))) throw new WebhookError("address");
        return fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      }),
  };
}
