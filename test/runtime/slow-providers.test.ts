import { afterEach, expect, jest, test } from "bun:test";
import { redeemCode } from "../../worker/features/auth/oauth-client";
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
