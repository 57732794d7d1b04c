import type { WebhookSender } from "../../ports/webhook-sender";
import { postMessage } from "../shared/webhook-request";
import { createPublicFetch } from "./public-fetch";

export function createWebhookSender(options: { allowPrivate: boolean }): WebhookSender {
  const fetchPublic = createPublicFetch(options);
  return {
    // So many connections of an invocation can wait for a response; a further one would wait for them, and time out.
    slots: 6,
    send: ({ url, headers, body }) =>
      postMessage((signal) => fetchPublic(new URL(url), { method: "POST", headers, body, signal })),
  };
}
