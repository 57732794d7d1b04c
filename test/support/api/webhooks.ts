import { expect } from "bun:test";
import type { WebhookEvent } from "../../../worker/contract/envelope-events";
import type { Api, Client } from "./client";

/** Adds a webhook to a public address that nothing is sent to in the test. */
export async function addWebhook(
  client: Client,
  events: WebhookEvent[] = ["request.deleted"],
): Promise<{ id: number; secret: string }> {
  const input = { url: "https://hooks.example.com/", events };
  const { status, body } = await client.post("/api/webhooks", input);
  expect(status).toBe(201);
  return body;
}

/** How many webhooks of the account are switched on. */
export async function enabledWebhooks(api: Api, userId: number): Promise<number> {
  return (await api.select(`select id from webhooks where enabled = 1 and user_id = ${userId}`)).length;
}
