import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from "arctic";
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
  insertUser,
  isSignUpRejected,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import { insertFirstWorkspace, ownerByEmail } from "../../../db/queries/workspaces";
import type { SignInProvider } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import type { ProviderSettings } from "../../lib/sign-in-providers";
import { deliverSoon, queueProviderLinked, queueVerification } from "../notifications/outbox";
import { FIRST_WORKSPACE, newVerification, requireEnabled, throwIfEmailTaken } from "./auth.service";
import { fetchProfile, type ProviderProfile } from "./provider-profile";
import { signUpCondition, signUpError } from "./sign-up";

/** What the browser stores while the user is at the provider. */
export type PendingSignIn = { provider: string; state: string; codeVerifier: string };

/** @throws AppError `not_found` for a provider that is not configured */
export function requireProvider({ config }: Dependencies, name: string): ProviderSettings {
  const provider = config.signInProviders.find((candidate) => candidate.name === name);
  if (!provider) throw appError("not_found");
  return provider;
}

/** The provider's URL, and the state that the browser must return. */
export function beginSignIn(
  deps: Dependencies,
  provider: ProviderSettings,
): { url: URL; pending: PendingSignIn } {
  const pending = { provider: provider.name, state: generateState(), codeVerifier: generateCodeVerifier() };
  const { state, codeVerifier } = pending;
  const url = clientFor(deps, provider).createAuthorizationURLWithPKCE(
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
  answer: { code: string | undefined; state: string | undefined },
  pending: PendingSignIn | undefined,
): Promise<{ user: User; identity: { provider: SignInProvider; subject: string } }> {
  const { code, state } = answer;
  if (!code || !state || pending?.provider !== provider.name || pending.state !== state)
    throw appError("sign_in_failed");
  const profile = await readProfile(deps, provider, code, pending.codeVerifier);
  const identity = { provider: provider.name, subject: profile.subject };
  if (!(await findUserByIdentity(deps.db, provider.name, profile.subject))) {
    const sameEmail = await findUserByEmail(deps.db, profile.email);
    if (sameEmail) await linkAccount(deps, provider, profile, sameEmail);
    else await createAccount(deps, provider, profile);
  }
  const user = await findUserByIdentity(deps.db, provider.name, profile.subject);
  if (!user) throw appError("sign_in_failed");
  requireEnabled(user);
  return { user, identity };
}

async function readProfile(
  deps: Dependencies,
  provider: ProviderSettings,
  code: string,
  codeVerifier: string,
): Promise<ProviderProfile> {
  try {
    const client = clientFor(deps, provider);
    const tokens = await client.validateAuthorizationCode(provider.tokenUrl, code, codeVerifier);
    return await fetchProfile(provider, tokens.accessToken());
  } catch (error) {
    deps.log.error("provider sign-in failed", { provider: provider.name, error: causes(error) });
    throw appError("sign_in_failed");
  }
}

/**
 * An existing account is only opened for an address that the provider has verified. If the account itself never
 * verified it, somebody else may have created the account: all ways to sign in that it had are removed, links to undo a
 * change of the address included.
 */
async function linkAccount(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile,
  user: User,
): Promise<void> {
  if (!profile.emailVerified) throw appError("provider_email_unverified");
  const { db, clock } = deps;
  const { email, isVerified } = user;
  const takeOver = user.isVerified
    ? []
    : [
        updateUser(db, user.id, { password: "", ...VERIFIED }),
        ...endProgramAccess(db, user.id),
        deleteEmailReverts(db, user.id),
      ];
  const createdAt = clock.now().toISOString();
  const identity = { provider: provider.name, subject: profile.subject, createdAt };
  await runBatch(db, [
    ...(isVerified ? [] : deleteSignInMethods(db, user.id)),
    insertIdentity(db, { ...identity, userId: unchangedAccount(db, user.id, { email, isVerified }) }),
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
    insertUser(
      db,
      emailVerified ? { ...user, isVerified: true } : { ...user, ...fields },
      signUpCondition(deps, { email, isVerified: emailVerified }),
    ),
    ...(emailVerified ? deleteInvitation(db, email) : []),
    insertFirstWorkspace(db, email, { name: FIRST_WORKSPACE, createdAt, updatedAt: createdAt }),
    insertIdentity(db, { provider: provider.name, subject, userId, createdAt }),
    ...(emailVerified ? [] : [queueVerification(db, { userId, email, token, createdAt })]),
  ]).catch((error: unknown) => {
    throw isSignUpRejected(error) ? signUpError(deps) : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
}

function clientFor(
  { config }: Dependencies,
  { name, clientId, clientSecret }: ProviderSettings,
): OAuth2Client {
  return new OAuth2Client(clientId, clientSecret, `${config.publicUrl}/api/auth/${name}/callback`);
}
