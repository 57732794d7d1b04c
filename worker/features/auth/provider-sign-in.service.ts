import type { OAuth2Client } from "arctic/dist/client.js";
import { runBatch } from "../../../db/client";
import { unchangedAccount } from "../../../db/queries/account-guards";
import { deleteEmailReverts } from "../../../db/queries/email-reverts";
import {
  findUserByIdentity,
  insertIdentity,
  isAlreadyLinked,
  isLinkOutdated,
} from "../../../db/queries/identities";
import { deleteInvitation } from "../../../db/queries/invitations";
import { deleteSignInMethods, endProgramAccess } from "../../../db/queries/sign-in-methods";
import {
  findUserByEmail,
  isSignUpRejected,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import { ownerByEmail } from "../../../db/queries/workspaces";
import type { SignInProvider } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import type { ProviderSettings } from "../../lib/sign-in-providers";
import { deliverSoon, queueProviderLinked, queueVerification } from "../notifications/outbox";
import { requireEnabled } from "./auth.service";
import type { SignInClient } from "./known-browser";
import { newVerification } from "./mailed-links";
import { fetchProfile, type ProviderProfile } from "./provider-profile";
import { newAccount, signUpCondition, signUpError, throwIfEmailTaken } from "./sign-up";

/** What the browser stores while the user is at the provider. */
export type PendingSignIn = { provider: string; state: string; codeVerifier: string };

/** @throws AppError `not_found` for a provider that is not configured */
export function requireProvider({ config }: Dependencies, name: string): ProviderSettings {
  const provider = config.signInProviders.find((candidate) => candidate.name === name);
  if (!provider) throw appError("not_found");
  return provider;
}

/** The provider's URL, and the state that the browser must return. */
export async function beginSignIn(
  deps: Dependencies,
  provider: ProviderSettings,
): Promise<{ url: URL; pending: PendingSignIn }> {
  const [{ CodeChallengeMethod }, { generateCodeVerifier, generateState }] = await loadArctic();
  const pending = { provider: provider.name, state: generateState(), codeVerifier: generateCodeVerifier() };
  const { state, codeVerifier } = pending;
  const client = await clientFor(deps, provider);
  const url = client.createAuthorizationURLWithPKCE(
    provider.authorizationUrl,
    state,
    CodeChallengeMethod.S256,
    codeVerifier,
    provider.scopes,
  );
  return { url, pending };
}

/**
 * The account of a user who returns from the provider; created if needed.
 * @throws AppError `sign_in_failed`, `provider_email_unverified`, `account_disabled`; `sign_up_closed`,
 *   `invitation_required`
 */
export async function finishSignIn(
  deps: Dependencies,
  provider: ProviderSettings,
  callback: { code: string | undefined; state: string | undefined },
  pending: PendingSignIn | undefined,
  client: SignInClient,
): Promise<{ user: User; isNew: boolean; identity: { provider: SignInProvider; subject: string } }> {
  const { code, state } = callback;
  if (!code || !state || pending?.provider !== provider.name || pending.state !== state)
    throw appError("sign_in_failed");
  const profile = await readProfile(deps, provider, code, pending.codeVerifier);
  const identity = { provider: provider.name, subject: profile.subject };
  let isNew = false;
  if (!(await findUserByIdentity(deps.db, provider.name, profile.subject))) {
    const sameEmail = await findUserByEmail(deps.db, profile.email);
    isNew = !sameEmail;
    if (sameEmail) await linkAccount(deps, provider, profile, sameEmail);
    else await createAccount(deps, provider, profile);
  }
  const user = await findUserByIdentity(deps.db, provider.name, profile.subject);
  if (!user) throw appError("sign_in_failed");
  requireEnabled(deps, user, provider.name, client);
  return { user, isNew, identity };
}

async function readProfile(
  deps: Dependencies,
  provider: ProviderSettings,
  code: string,
  codeVerifier: string,
): Promise<ProviderProfile> {
  try {
    const client = await clientFor(deps, provider);
    const tokens = await client.validateAuthorizationCode(provider.tokenUrl, code, codeVerifier);
    return await fetchProfile(provider, tokens.accessToken());
  } catch (error) {
    deps.log.error("provider sign-in failed", { provider: provider.name, error: causes(error) });
    throw appError("sign_in_failed");
  }
}

/**
 * An existing account is only opened for an address that the provider has verified. If nobody with access to the account
 * has verified it, somebody else may have created the account: all ways to sign in that it had are removed, links to
 * undo a change of the address included.
 */
async function linkAccount(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile,
  user: User,
): Promise<void> {
  if (!profile.emailVerified) throw appError("provider_email_unverified");
  const { db, clock } = deps;
  const { email, isVerified, verifiedByOwner } = user;
  const proven = isVerified && verifiedByOwner;
  const takeOver = proven
    ? []
    : [
        updateUser(db, user.id, { password: "", ...VERIFIED }),
        ...endProgramAccess(db, user.id),
        deleteEmailReverts(db, user.id),
      ];
  const createdAt = clock.now().toISOString();
  const identity = { provider: provider.name, subject: profile.subject, createdAt };
  await runBatch(db, [
    ...(proven ? [] : deleteSignInMethods(db, user.id)),
    insertIdentity(db, {
      ...identity,
      userId: unchangedAccount(db, user.id, { email, isVerified, verifiedByOwner }),
    }),
    ...takeOver,
    queueProviderLinked(db, user, { provider: provider.name, createdAt }),
  ]).catch((error: unknown) => {
    // A concurrent sign-in of the same user has linked it.
    if (!isAlreadyLinked(error)) throw isLinkOutdated(error) ? appError("sign_in_failed") : error;
  });
  deliverSoon(deps);
}

async function createAccount(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const createdAt = now.toISOString();
  const { email, firstName, lastName, subject, emailVerified } = profile;
  const { token, fields } = await newVerification(now);
  const userId = ownerByEmail(email);
  const user = { email, firstName, lastName, createdAt, password: "" };
  await runBatch(db, [
    ...newAccount(
      db,
      emailVerified ? { ...user, ...VERIFIED } : { ...user, ...fields },
      signUpCondition(deps, { email, isVerified: emailVerified }),
    ),
    ...(emailVerified ? deleteInvitation(db, email) : []),
    insertIdentity(db, { provider: provider.name, subject, userId, createdAt }),
    ...(emailVerified ? [] : [queueVerification(db, { userId, email, token, createdAt })]),
  ]).catch(async (error: unknown) => {
    throw isSignUpRejected(error) ? await signUpError(deps) : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
}

/**
 * Loaded by the first sign-in with a provider. The package's index imports its clients of sixty providers too, which
 * would be 7 KiB of a Worker's script.
 */
const loadArctic = () => Promise.all([import("arctic/dist/client.js"), import("arctic/dist/oauth2.js")]);

async function clientFor(
  { config }: Dependencies,
  { name, clientId, clientSecret }: ProviderSettings,
): Promise<OAuth2Client> {
  const [{ OAuth2Client }] = await loadArctic();
  return new OAuth2Client(clientId, clientSecret, `${config.publicUrl}/api/auth/${name}/callback`);
}
