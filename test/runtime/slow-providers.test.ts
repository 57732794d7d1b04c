import { afterEach, expect, jest, test } from "bun:test";
import { bodyOf, failureOf } from "../../worker/adapters/shared/destinations/cloud-client";
import { createTwilioSmsSender } from "../../worker/adapters/shared/twilio-sms-sender";
import { redeemCode } from "../../worker/features/auth/oauth-client";
import { readClaims } from "../../worker/features/auth/oidc-client";
import { fetchProfile } from "../../worker/features/auth/provider-profile";
import { startIdentityProvider } from "../support/servers/identity-provider";

afterEach(() => {
  jest.useRealTimers();
});

test("a provider that accepts a code and never answers keeps nobody waiting for more than ten seconds", async () => {
  const asked = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    fetch: () => {
      asked.resolve();
      return new Promise<Response>(() => {});
    },
  });
  const provider = startIdentityProvider();
  const settings = { ...provider.settings("github"), tokenUrl: server.url.href };
  jest.useFakeTimers();
  const tokens = redeemCode(settings, "http://localhost/callback", "code", { codeVerifier: "verifier" });
  const failed = tokens.catch((error: Error) => error.message);
  await asked.promise;
  jest.advanceTimersByTime(10_000);
  expect(await failed).toBe("The provider did not answer in time");
  await server.stop(true);
  provider.stop();
});

const MIB = 1024 * 1024;
const sms = { to: "+15551234567", text: "Ada asks for 2 documents" };
const openId = {
  ...{ name: "oidc" as const, clientId: "app", clientSecret: "secret", label: "Acme" },
  ...{ domains: [], trustsEmail: false },
};

test("of an answer without an end, two MiB are waited for at most", async () => {
  const text = " ".repeat(2 * MIB);
  const answer = (status: number) => {
    // What follows never comes: whoever waits for it gives up by time only.
    const start = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start }), {
      status,
      headers: { "Content-Type": "application/json" },
    });
  };
  let status = 200;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer(status) });
  const url = server.url.href;
  const provider = startIdentityProvider();
  const redeem = (tokenUrl: string) =>
    redeemCode({ ...provider.settings("github"), tokenUrl }, "http://localhost/callback", "code", {
      codeVerifier: "verifier",
    });
  const ask: [number, () => Promise<unknown>][] = [
    [200, () => readClaims({ ...openId, issuer: url })],
    [200, () => fetchProfile({ ...provider.settings("github"), profileUrl: url }, "token")],
    [200, () => redeem(url)],
    [400, () => redeem(url)],
    [200, async () => bodyOf(await fetch(url))],
    [403, async () => Promise.reject(await failureOf(await fetch(url)))],
    [
      403,
      () =>
        createTwilioSmsSender({ accountSid: "AC123", authToken: "secret", from: "+15550001111", url }).send(
          sms,
        ),
    ],
  ];
  for (const [given, call] of ask) {
    status = given;
    const error = await call().then(
      () => "done",
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toMatch(/time/i);
  }
  await server.stop(true);
  provider.stop();
});
