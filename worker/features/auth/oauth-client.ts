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
  const { CodeChallengeMethod, OAuth2Client, generateCodeVerifier, generateState } = await loadArctic();
  const checks = { state: generateState(), codeVerifier: generateCodeVerifier() };
  const client = new OAuth2Client(provider.clientId, provider.clientSecret, redirectUri);
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
  const { requestTokens } = await loadArctic();
  const grant = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  const request = new AbortController();
  return withDeadline(requestTokens(provider, grant, request.signal), TIMEOUT_MS, () => {
    request.abort();
    return new Error("The provider did not answer in time");
  });
}
