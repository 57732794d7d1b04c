import { isPublicUrl } from "../../lib/public-address";
import { WebhookError, type WebhookSender } from "../../ports/webhook-sender";
import { postMessage } from "../shared/webhook-request";

/**
 * A Worker neither resolves names nor sees the address it connects to, so only the URL is checked. Its requests leave
 * from Cloudflare's network, from which the operator's private networks, loopback and metadata service are unreachable.
 */
export function createWebhookSender({ allowPrivate }: { allowPrivate: boolean }): WebhookSender {
  return {
    // So many connections of an invocation can wait for a response; a further one would wait for them, and time out.
    slots: 6,
    send: ({ url, headers, body }) =>
      postMessage(async (signal) => {
        if (!allowPrivate && !isPublicUrl(new URL(url))) throw new WebhookError("address");
        return fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      }),
  };
}
