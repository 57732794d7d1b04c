import { expect } from "bun:test";
import { TOTP } from "otpauth";
import { TEST_START } from "../runtime/runtime";
import type { ApiResponse, Client, SignedUp } from "./client";

/** An authenticator app, by an implementation of its own. */
export type App = { secret: string; recoveryCodes: string[]; code(at?: string): string };

/** The code that an app shows at this time. */
export const codeOf = (secret: string, at: string = TEST_START): string =>
  new TOTP({ secret }).generate({ timestamp: Date.parse(at) });

/** This many seconds after the tests' start. */
export const after = (seconds: number): string =>
  new Date(Date.parse(TEST_START) + seconds * 1000).toISOString();

/** Adds an authenticator app. The step of its first code is the one before the current one. */
export async function setUpTotp(client: Client, at: string = TEST_START): Promise<App> {
  const { body, status } = await client.post("/api/two-factor/totp");
  expect(status).toBe(200);
  const code = (now: string = at) => codeOf(body.secret, now);
  const before = new Date(Date.parse(at) - 30_000).toISOString();
  const confirmed = await client.post("/api/two-factor/totp/confirm", { code: code(before) });
  expect(confirmed.status).toBe(200);
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes, code };
}

/** Begins to sign in. @returns the challenge of the second step */
export async function beginLogin(
  client: Client,
  { email, password }: Pick<SignedUp, "email" | "password">,
): Promise<string> {
  const { status, body } = await client.post("/api/login", { email, password });
  expect([status, body.code]).toEqual([401, "second_factor_required"]);
  return body.challenge;
}

export const answer = (client: Client, challenge: string, given: object): Promise<ApiResponse> =>
  client.post("/api/login/second-factor", { challenge, ...given });

/** Signs in with the app's current code. */
export async function loginWithCode(
  client: Client,
  account: Pick<SignedUp, "email" | "password">,
  app: App,
): Promise<ApiResponse> {
  return answer(client, await beginLogin(client, account), { code: app.code() });
}
