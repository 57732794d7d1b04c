import type { OAuth2Client } from "arctic/dist/client.js";
import type { OAuth2Tokens } from "../../lib/oauth2";
import { withDeadline } from "../../lib/retry";
import type { OAuthProvider } from "../../lib/sign-in-providers";

/** Loaded with the first use of a provider. */
const loadArctic = () => import("../../lib/oauth2");

/** What must come back from the provider's page, and what redeems its code. */
export type AuthorizationChecks = { state: string; codeVerifier: string };

const TIMEOUT_MS = 10_000;

/** The URL of the provider's page that asks for the scopes. */
export async function authorize(
  provider: OAuthProvider,
  redirectUri: string,
  scopes = provider.scopes,
): Promise<{ url: URL; checks: AuthorizationChecks }> {
  const { CodeChallengeMethod, generateCodeVerifier, generateState } = await loadArctic();
  const checks = { state: generateState(), codeVerifier: generateCodeVerifier() };
  const client = await clientFor(provider, redirectUri);
  const { state, codeVerifier } = checks;
  const { S256 } = CodeChallengeMethod;
  const page = provider.authorizationUrl;
  return { url: client.createAuthorizationURLWithPKCE(page, state, S256, codeVerifier, scopes), checks };
}

/** @throws if the provider rejects the code, cannot be reached or does not answer in ten seconds */
export async function redeemCode(
  provider: OAuthProvider,
  redirectUri: string,
  code: string,
  { codeVerifier }: Pick<AuthorizationChecks, "codeVerifier">,
): Promise<OAuth2Tokens> {
  const client = await clientFor(provider, redirectUri);
  const redeeming = client.validateAuthorizationCode(provider.tokenUrl, code, codeVerifier);
  return withDeadline(redeeming, TIMEOUT_MS, () => new Error("The provider did not answer in time"));
}

async function clientFor(
  { clientId, clientSecret }: OAuthProvider,
  redirectUri: string,
): Promise<OAuth2Client> {
  const { OAuth2Client } = await loadArctic();
  return new OAuth2Client(clientId, clientSecret, redirectUri);
}
