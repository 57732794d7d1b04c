import type { ClientAuth, Configuration } from "openid-client";
import * as z from "zod/mini";
import type { ProviderProfile } from "../../../db/queries/provider-confirmations";
import { emailAddress } from "../../contract/fields";
import { MESSAGES } from "../../contract/messages";
import { HOUR_MS } from "../../lib/durations";
import { isLoopback } from "../../lib/public-address";
import type { OidcProvider } from "../../lib/sign-in-providers";
import { profileName } from "./provider-profile";

const TIMEOUT_SECONDS = 10;
/** How far the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_SECONDS = 120;
/** The provider's metadata are read again after that. */
const METADATA_MS = HOUR_MS;

/** What the browser keeps for the callback. */
export type OidcChecks = { state: string; nonce: string; codeVerifier: string };

const claims = z.object({
  email: z.catch(z.optional(emailAddress(MESSAGES.invalidEmailAddress)), undefined),
  // A missing flag counts as unverified, and so does the text "true".
  email_verified: z.catch(z.boolean(), false),
  given_name: profileName,
  family_name: profileName,
});

/** Loaded by the first sign-in with the provider. */
const loadClient = () => import("../../lib/openid");

const discovered = new WeakMap<OidcProvider, { configuration: Configuration; at: number }>();

/** The provider's metadata. A failure is not cached. */
async function discover(provider: OidcProvider): Promise<Configuration> {
  const known = discovered.get(provider);
  if (known && Date.now() - known.at < METADATA_MS) return known.configuration;
  const client = await loadClient();
  const { clientId, clientSecret } = provider;
  const issuer = new URL(provider.issuer);
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  // OpenID Connect's default is basic authentication; not every provider offers it.
  const authenticate: ClientAuth = (server, ...request) =>
    (server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") === false ? post : basic)(
      server,
      ...request,
    );
  const configuration = await client.discovery(
    issuer,
    clientId,
    { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authenticate,
    {
      timeout: TIMEOUT_SECONDS,
      execute:
        issuer.protocol === "http:" && isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : [],
    },
  );
  discovered.set(provider, { configuration, at: Date.now() });
  return configuration;
}

/** The URL of the provider's sign-in page, and what the callback is checked against. */
export async function beginOidc(
  provider: OidcProvider,
  redirectUri: string,
): Promise<{ url: URL; checks: OidcChecks }> {
  const client = await loadClient();
  const configuration = await discover(provider);
  const checks = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid email profile",
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: "S256",
  });
  return { url, checks };
}

/**
 * The account at the provider, from the ID token and, for what that lacks, from the provider's userinfo.
 * @throws if the callback, the code or the token is not valid, or the provider cannot be reached
 */
export async function readOidcProfile(
  provider: OidcProvider,
  callback: URL,
  checks: OidcChecks,
): Promise<ProviderProfile> {
  const client = await loadClient();
  const configuration = await discover(provider);
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.codeVerifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (!idToken) throw new Error("The provider returned no ID token");
  const hasEmail = typeof idToken.email === "string" && idToken.email_verified !== undefined;
  const complete = hasEmail || !configuration.serverMetadata().userinfo_endpoint;
  const more = complete ? {} : await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
  const profile = claims.parse({ ...idToken, ...more });
  return {
    // An issuer has no fragment, so both together are unambiguous: another provider may have the same subject.
    subject: `${idToken.iss}#${idToken.sub}`,
    email: profile.email,
    emailVerified: profile.email !== undefined && profile.email_verified,
    firstName: profile.given_name,
    lastName: profile.family_name,
  };
}
