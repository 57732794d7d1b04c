import * as z from "zod/mini";
import type { ProviderProfile } from "../../../db/queries/provider-confirmations";
import { emailAddress, nullishTo } from "../../contract/fields";
import { LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import { splitName } from "../../contract/patterns";
import type { OAuthProvider } from "../../lib/sign-in-providers";
import { readBeginning } from "../../lib/streams";

const TIMEOUT_MS = 10_000;
const email = emailAddress(MESSAGES.invalidEmailAddress);
/** Truncated: a provider may allow longer names. */
export const profileName = nullishTo(z.string(), (value) => value?.trim().slice(0, LIMITS.name) || null);

const openIdProfile = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email,
  // A missing flag counts as unverified.
  email_verified: z.catch(z.boolean(), false),
  given_name: profileName,
  family_name: profileName,
});
const gitHubProfile = z.object({ id: z.number(), name: profileName });
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

type FetchProfile = (provider: OAuthProvider, accessToken: string) => Promise<ProviderProfile>;

/** Fetches the profile that the access token belongs to. @throws if the response is invalid */
export const fetchProfile: FetchProfile = (provider, accessToken) =>
  FETCH_PROFILE[provider.name](provider, accessToken);

const FETCH_PROFILE: Record<OAuthProvider["name"], FetchProfile> = {
  google: fetchOpenIdProfile,
  microsoft: fetchOpenIdProfile,
  github: fetchGitHubProfile,
};

async function fetchOpenIdProfile(provider: OAuthProvider, accessToken: string): Promise<ProviderProfile> {
  const profile = openIdProfile.parse(await fetchJson(provider.profileUrl, accessToken));
  return {
    subject: profile.sub,
    email: profile.email,
    emailVerified: profile.email_verified,
    firstName: profile.given_name,
    lastName: profile.family_name,
  };
}

async function fetchGitHubProfile(provider: OAuthProvider, accessToken: string): Promise<ProviderProfile> {
  const [profile, emails] = await Promise.all([
    fetchJson(provider.profileUrl, accessToken).then(gitHubProfile.parse),
    fetchJson(`${provider.profileUrl}/emails`, accessToken).then(gitHubEmails.parse),
  ]);
  const primary = emails.find((entry) => entry.primary);
  const { firstName, lastName } = splitName(profile.name ?? "");
  return {
    subject: String(profile.id),
    email: email.parse(primary?.email),
    emailVerified: primary?.verified ?? false,
    firstName: firstName || null,
    lastName: lastName || null,
  };
}

async function fetchJson(url: string, accessToken: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: {
      Authorization: `Bearer ${accessToken}`,
      Accept: "application/json",
      "User-Agent": "Doculopes",
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The provider answered ${response.status}`);
  return JSON.parse(await readBeginning(response));
}
