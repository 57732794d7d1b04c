import { expect } from "bun:test";
import type { Client } from "./client";

/** Begins to sign in with a provider. @returns the URL of its page */
export async function beginProviderSignIn(client: Client, name: string, next?: string): Promise<URL> {
  const { status, body } = await client.post(`/api/auth/${name}`, { next });
  expect(status).toBe(200);
  return new URL(body.url);
}

/** Begins to link a provider to the account. @returns the URL of its page */
export async function beginLinking(client: Client, name: string): Promise<URL> {
  const { status, body } = await client.post(`/api/auth/${name}/link`);
  expect(status).toBe(200);
  return new URL(body.url);
}

/** Returns to the app with a code of the provider. @returns the page that the browser gets to */
export async function returnFrom(
  client: Client,
  authorization: URL,
  code: string,
  headers: Record<string, string> = {},
): Promise<string | null> {
  const name = new URL(authorization.searchParams.get("redirect_uri") ?? "").pathname;
  const query = new URLSearchParams({ code, state: authorization.searchParams.get("state") ?? "" });
  const response = await client.get(`${name}?${query}`, headers);
  expect(response.status).toBe(302);
  return response.headers.get("location");
}

/** Confirms what comes of a sign-in with a provider while somebody is signed in. @returns the page that is next */
export async function confirmProvider(client: Client): Promise<string> {
  const { body: question } = await client.get("/api/auth/confirmation");
  const { status, body } = await client.post("/api/auth/confirmation", { id: question.id });
  expect(status).toBe(200);
  return body.next;
}
