import type { ClientAuth, Configuration } from "openid-client";
import * as z from "zod/mini";
import type { ProviderProfile } from "../../../db/queries/provider-confirmations";
import { emailAddress } from "../../contract/fields";
import { MESSAGES } from "../../contract/messages";
import { HOUR_MS } from "../../lib/durations";
import { isLoopback } from "../../lib/public-address";
import { withDeadline } from "../../lib/retry";
import type { OidcProvider } from "../../lib/sign-in-providers";
import { readBeginning } from "../../lib/streams";
import type { Clock } from "../../ports/clock";
import { profileName } from "./provider-profile";

const TIMEOUT_MS = 10_000;
/** How far the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_SECONDS = 120;
/** The provider's metadata are read again after that. */
const METADATA_MS = HOUR_MS;
/** A provider that has failed is asked again after that. */
const FAILURE_MS = 15_000;

/** What the browser keeps for the callback. */
export type OidcChecks = { state: string; nonce: string; codeVerifier: string };

const claims = z.object({
  /** OpenID's limit. Without a subject, everybody would have the same account. */
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: z.catch(z.optional(emailAddress(MESSAGES.invalidEmailAddress)), undefined),
  // The text "true" counts as unverified.
  email_verified: z.catch(z.nullish(z.boolean()), false),
  /** Of Entra ID, which has no `email_verified`: whether the owner of the address's domain is verified. */
  xms_edov: z.nullish(z.unknown()),
  given_name: profileName,
  family_name: profileName,
});

/** Loaded by the first sign-in with the provider. */
const loadClient = () => import("../../lib/openid");

type Discovery = { configuration: Promise<Configuration>; at: number; lifetime: number };
const discoveries = new WeakMap<OidcProvider, Discovery>();

/**
 * The provider's metadata. One discovery serves all sign-ins that wait for it, but none waits longer than its own: a
 * Worker may end the request that has begun it.
 */
async function discover(provider: OidcProvider, clock: Clock): Promise<Configuration> {
  const now = clock.now().getTime();
  const known = discoveries.get(provider);
  const age = known ? now - known.at : -1;
  const discovery = known && age >= 0 && age < known.lifetime ? known : beginDiscovery(provider, now);
  const late = () => new Error("The provider's metadata did not arrive in time");
  return withDeadline(discovery.configuration, TIMEOUT_MS, late);
}

function beginDiscovery(provider: OidcProvider, now: number): Discovery {
  const configuration = readMetadata(provider);
  const discovery = { configuration, at: now, lifetime: TIMEOUT_MS };
  const setLifetime = (lifetime: number) => () => {
    discovery.lifetime = lifetime;
  };
  configuration.then(setLifetime(METADATA_MS), setLifetime(FAILURE_MS));
  discoveries.set(provider, discovery);
  return discovery;
}

async function readMetadata(provider: OidcProvider): Promise<Configuration> {
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
  return client.discovery(
    issuer,
    clientId,
    { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authenticate,
    {
      timeout: TIMEOUT_MS / 1000,
      [client.customFetch]: async (url, init) => {
        const response = await fetch(url, init as RequestInit);
        return new Response((await readBeginning(response)) || null, response);
      },
      execute: [
        // OpenID allows to skip the signature of a token that came over TLS, and the library skips it by default.
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === "http:" && isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

/** The URL of the provider's sign-in page, and what the callback is checked against. */
export async function beginOidc(
  provider: OidcProvider,
  redirectUri: string,
  clock: Clock,
): Promise<{ url: URL; checks: OidcChecks }> {
  const client = await loadClient();
  const configuration = await discover(provider, clock);
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

/** Whether the address is verified: as the provider says or, if it does not, as the operator trusts it. */
function verification(
  { trustsEmail }: OidcProvider,
  { email, email_verified, xms_edov }: z.output<typeof claims>,
): { emailVerified: boolean; doubt?: string } {
  if (email === undefined) return { emailVerified: false, doubt: "there is no claim email" };
  if (email_verified != null)
    return email_verified
      ? { emailVerified: true }
      : { emailVerified: false, doubt: "email_verified is not true" };
  if (xms_edov != null)
    return [true, 1, "1", "true"].includes(xms_edov as string)
      ? { emailVerified: true }
      : { emailVerified: false, doubt: "xms_edov is not true" };
  return trustsEmail
    ? { emailVerified: true }
    : { emailVerified: false, doubt: "there is no claim email_verified, and OIDC_TRUST_EMAIL is off" };
}

/** The claims that the provider says it has; null if it does not say. @throws if it cannot be asked */
export async function readClaims(provider: OidcProvider): Promise<readonly string[] | null> {
  return (await readMetadata(provider)).serverMetadata().claims_supported ?? null;
}

/**
 * The account at the provider, from the ID token and, for what that lacks, from the provider's userinfo.
 * @throws if the callback, the code or the token is not valid, or the provider cannot be reached
 */
export async function readOidcProfile(
  provider: OidcProvider,
  callback: URL,
  checks: OidcChecks,
  clock: Clock,
): Promise<ProviderProfile> {
  const client = await loadClient();
  const configuration = await discover(provider, clock);
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
    subject: `${idToken.iss}#${profile.sub}`,
    email: profile.email,
    ...verification(provider, profile),
    firstName: profile.given_name,
    lastName: profile.family_name,
  };
}
