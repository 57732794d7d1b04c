import type { APIRequestContext, Page } from "playwright-core";
import type { Clock } from "../../../worker/ports/clock";
import { codeOf } from "../api/two-factor";

/** Chromium's virtual authenticator: a device with a screen lock, which its owner opens while `verified`. */
export async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verified: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** The device is gone. */
    remove: () => cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }),
  };
}

/**
 * Keeps the device from taking the suggestion of the address field, which it would do before anything is pressed, on
 * pages that are opened later (with this hash, if it is given).
 */
export async function withoutSuggestions(page: Page, hash?: string): Promise<void> {
  await page.addInitScript((only) => {
    if (only === undefined || location.hash === only)
      window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  }, hash);
}

/** Sets up an authenticator app for the account that is signed in. @returns its secret and the recovery codes */
export async function addApp(request: APIRequestContext, url: string, clock: Clock) {
  const begun = await request.post(`${url}/api/two-factor/totp`);
  const { secret } = await begun.json();
  const code = codeOf(secret, clock.now().toISOString());
  const confirmed = await request.post(`${url}/api/two-factor/totp/confirm`, { data: { code } });
  if (!confirmed.ok()) throw new Error(`The app was not set up: ${await confirmed.text()}`);
  const { recoveryCodes }: { recoveryCodes: string[] } = await confirmed.json();
  return { secret: secret as string, recoveryCodes };
}
