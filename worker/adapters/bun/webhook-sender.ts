import type { WebhookSender } from "../../ports/webhook-sender";
import { postMessage } from "../shared/webhook-request";
import { createPublicFetch, type Resolve } from "./public-fetch";

/** @param allowPrivate for receivers in the operator's own network; this also allows http */
export function createWebhookSender(
  { allowPrivate, timeoutMs }: { allowPrivate: boolean; timeoutMs?: number },
  resolve?: Resolve,
): WebhookSender {
  const fetchPublic = createPublicFetch({ allowPrivate }, resolve);
  return {
    slots: 16,
    send: ({ url, headers, body }) =>
      postMessage(
        (signal) => fetchPublic(new URL(url), { method: "POST", headers, body, signal }),
        timeoutMs,
      ),
  };
}
