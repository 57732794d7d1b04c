import * as z from "zod/mini";
import { runBatch, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { deleteEmailReverts } from "../../../db/queries/email-reverts";
import {
  findUserByIdentity,
  insertIdentity,
  isAlreadyLinked,
  isLinkOutdated,
} from "../../../db/queries/identities";
import { deleteInvitation, wayOfInvited } from "../../../db/queries/invitations";
import {
  claimProviderConfirmation,
  findProviderConfirmation,
  type ProviderConfirmation,
  type ProviderProfile,
  replaceProviderConfirmation,
} from "../../../db/queries/provider-confirmations";
import { deleteTotp, lacksFactor } from "../../../db/queries/second-factors";
import { deleteSignInMethods } from "../../../db/queries/sign-in-methods";
import {
  findUserByEmail,
  isSignUpRejected,
  type NewUser,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import { LANGUAGES, type Language, type SignInProvider } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, causes, required } from "../../errors";
import { MINUTE_MS } from "../../lib/durations";
import { isOfDomain, type ProviderSettings } from "../../lib/sign-in-providers";
import { randomToken } from "../../lib/tokens";
import { deliverSoon, providerPayload, queueAccountMail } from "../notifications/outbox";
import { mailboxOf, RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { requireProved } from "../sign-in-policy/proved-address";
import { demandsSecondFactor } from "../sign-in-policy/sign-in-policy";
import { hasAskedFactor } from "../two-factor/two-factor.service";
import { requireEnabled } from "./auth.service";
import type { SignInClient } from "./known-browser";
import { newVerification } from "./mailed-links";
import { authorize, redeemCode } from "./oauth-client";
import { fetchProfile } from "./provider-profile";
import {
  comesByDomain,
  joinByDomain,
  newAccount,
  signUpCondition,
  signUpError,
  throwIfEmailTaken,
} from "./sign-up";

/** How long a sign-in with a provider may take, and how long what comes of it may be confirmed. */
export const PROVIDER_SIGN_IN_MS = 10 * MINUTE_MS;

/** What the browser stores while the user is at the provider. */
export const pendingSignIn = z.object({
  provider: z.string(),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.optional(z.string()),
  next: z.optional(z.string()).check(z.describe("The page to return to")),
  language: z.optional(z.enum(LANGUAGES)),
  link: z
    .optional(z.string())
    .check(z.describe("The session whose account gets the provider as another way to sign in")),
});
export type PendingSignIn = z.output<typeof pendingSignIn>;

/** What the provider has added to the callback's URL. */
export type Callback = { code?: string | undefined; state?: string | undefined; url: URL };

/** @throws AppError `not_found` for a provider that is not configured */
export function requireProvider({ config }: Dependencies, name: string): ProviderSettings {
  const provider = config.signInProviders.find((candidate) => candidate.name === name);
  if (!provider) throw appError("not_found");
  return provider;
}

/** The provider's URL, and what the browser must return. @throws AppError `sign_in_failed` */
export async function beginSignIn(
  deps: Dependencies,
  provider: ProviderSettings,
): Promise<{ url: URL; pending: PendingSignIn }> {
  if (provider.name === "oidc") {
    const { beginOidc } = await import("./oidc-client");
    const begun = beginOidc(provider, redirectUri(deps, provider), deps.clock).catch(failed(deps, provider));
    const { url, checks } = await begun;
    return { url, pending: { provider: provider.name, ...checks } };
  }
  const { url, checks } = await authorize(provider, redirectUri(deps, provider));
  return { url, pending: { provider: provider.name, ...checks } };
}

/**
 * The account that signs in with this account at the provider; created if needed, in the language of the sign-in page.
 * @throws AppError `sign_in_failed`, `provider_email_missing`, `provider_email_unverified`, `sign_in_before_linking`,
 *   `account_disabled`; `sign_up_closed`, `invitation_required`
 */
export async function accountOfProfile(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile,
  client: SignInClient,
  language: Language | undefined,
): Promise<{ user: User; isNew: boolean; identity: { provider: SignInProvider; subject: string } }> {
  const identity = { provider: provider.name, subject: profile.subject };
  let isNew = false;
  if (!(await findUserByIdentity(deps.db, provider.name, profile.subject))) {
    const { email } = profile;
    if (email === undefined) throw appError("provider_email_missing");
    const sameEmail = await findUserByEmail(deps.db, email);
    isNew = !sameEmail;
    if (sameEmail) await linkAccount(deps, provider, profile, sameEmail);
    else {
      requireAllowed(await deps.rateLimiter.hit(RATE_RULES.registrations, client.address));
      await createAccount(deps, provider, { ...profile, email, language }, client.address);
    }
  }
  const user = await required(findUserByIdentity(deps.db, provider.name, profile.subject), "sign_in_failed");
  requireEnabled(deps, user, provider.name, client);
  return { user, isNew, identity };
}

/** Who is signed in, and by which session. */
type Asked = { user: User; sid: string };

/**
 * Stores what somebody who is signed in has to confirm after returning from the provider.
 * @returns false if there is nothing to change, because the account at the provider signs in to this account already
 * @throws AppError `provider_linked_elsewhere`
 */
export async function askToConfirm(
  { db, clock }: Dependencies,
  { user, sid }: Asked,
  confirmation: ProviderConfirmation,
): Promise<boolean> {
  const { purpose, provider, profile } = confirmation;
  const owner = await findUserByIdentity(db, provider, profile.subject);
  if (owner?.id === user.id) return false;
  if (owner && purpose === "link") throw appError("provider_linked_elsewhere");
  const now = clock.now();
  await replaceProviderConfirmation(db, user.id, sid, confirmation, {
    tokenHash: randomToken(),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + PROVIDER_SIGN_IN_MS).toISOString(),
  });
  return true;
}

/** What the session's user has to confirm. @throws AppError `challenge_ended` */
export const requireConfirmation = ({ db, clock }: Dependencies, { user, sid }: Asked) =>
  required(findProviderConfirmation(db, user.id, sid, clock.now().toISOString()), "challenge_ended");

/** Lets what was confirmed be done once. @throws AppError `challenge_ended` */
export async function claimConfirmation({ db }: Dependencies, { user, sid }: Asked, id: string) {
  if (!(await claimProviderConfirmation(db, user.id, sid, id))) throw appError("challenge_ended");
}

/** What people call an account at a provider. */
export const nameOfProfile = ({ email, firstName, lastName, subject }: ProviderProfile) =>
  email ?? ([firstName, lastName].filter(Boolean).join(" ") || subject);

/**
 * Links the account at the provider to that of the session, whatever its address: the session proves who asks.
 * @throws AppError `address_not_proved`, `provider_linked_elsewhere`; `unauthenticated` if the session has ended meanwhile
 */
export async function linkProvider(
  deps: Dependencies,
  provider: ProviderSettings,
  { subject }: ProviderProfile,
  { user, sid }: Asked,
): Promise<void> {
  requireProved(deps, user);
  const { db, clock } = deps;
  const createdAt = clock.now().toISOString();
  await runBatch(db, [
    insertIdentity(
      db,
      { provider: provider.name, subject, userId: user.id, createdAt },
      isUnchanged(db, user.id, { sid, verifiedByOwner: user.verifiedByOwner }),
    ),
    queueAccountMail(db, "provider_linked", {
      userId: user.id,
      to: user.email,
      createdAt,
      payload: providerPayload(provider),
    }),
  ]).catch(async (error: unknown) => {
    if (isLinkOutdated(error)) throw appError("unauthenticated");
    if (!isAlreadyLinked(error)) throw error;
    const owner = await findUserByIdentity(db, provider.name, subject);
    if (owner?.id !== user.id) throw appError("provider_linked_elsewhere");
  });
  deliverSoon(deps);
}

/**
 * The account with which somebody returns from the provider. The state must be the one that this browser began with.
 * @throws AppError `sign_in_failed`
 */
export async function readProfile(
  deps: Dependencies,
  provider: ProviderSettings,
  { code, state, url }: Callback,
  pending: PendingSignIn | undefined,
): Promise<ProviderProfile> {
  if (!code || !state || pending?.provider !== provider.name || pending.state !== state)
    throw appError("sign_in_failed");
  const { codeVerifier, nonce = "" } = pending;
  if (provider.name === "oidc") {
    const { readOidcProfile } = await import("./oidc-client");
    const reading = readOidcProfile(provider, url, { state, nonce, codeVerifier }, deps.clock);
    return reading.catch(failed(deps, provider));
  }
  try {
    const tokens = await redeemCode(provider, redirectUri(deps, provider), code, { codeVerifier });
    return await fetchProfile(provider, tokens.accessToken());
  } catch (error) {
    return failed(deps, provider)(error);
  }
}

/** The operator can tell from the log what a provider does not do as expected; the visitor cannot do anything about it. */
const failed =
  ({ log }: Dependencies, { name }: ProviderSettings) =>
  (error: unknown): never => {
    log.error("provider sign-in failed", { provider: name, error: causes(error) });
    throw appError("sign_in_failed");
  };

/** @throws AppError `domain_not_allowed` unless the provider's addresses may be of this domain */
export function requireDomain(provider: ProviderSettings, { email, emailVerified }: ProviderProfile): void {
  if (provider.name !== "oidc" || provider.domains.length === 0) return;
  const { domains } = provider;
  if (!emailVerified || !email || !isOfDomain(email, domains)) throw appError("domain_not_allowed");
}

/**
 * An existing account is only opened for an address that the provider has verified. If the address was not proved before,
 * somebody else may have created the account: everything ends that gives access to it, links to undo a change of the
 * address included. Otherwise, an account that asks for a second factor is not opened, because whoever reads its mails
 * can get an account at a provider for the address: its owner signs in first and links the provider.
 * @throws AppError `provider_email_unverified`, `sign_in_before_linking`, `sign_in_failed`
 */
async function linkAccount(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile,
  user: User,
): Promise<void> {
  if (!profile.emailVerified) throw appError("provider_email_unverified");
  const { db, clock, config, takeTurn } = deps;
  const { email, isVerified, verifiedByOwner: proved } = user;
  const createdAt = clock.now().toISOString();
  // The account may be an administrator's only now that its address is verified.
  const verified = { ...user, ...VERIFIED };
  if (proved && (await hasAskedFactor(deps, verified))) throw appError("sign_in_before_linking");
  const takeOver = (ended: Statement[]) =>
    proved
      ? isVerified
        ? []
        : [updateUser(db, user.id, VERIFIED)]
      : [
          updateUser(db, user.id, { password: "", ...VERIFIED }),
          ...deleteTotp(db, user.id),
          ...ended,
          ...setWorkspacesAside(db, user.id, createdAt),
          deleteEmailReverts(db, user.id),
        ];
  const identity = { provider: provider.name, subject: profile.subject, userId: user.id, createdAt };
  const lacksOther = proved ? [lacksFactor(user.id, demandsSecondFactor(config, verified))] : [];
  const statements = (ended: Statement[]) => [
    ...(proved ? [] : deleteSignInMethods(db, user.id, { which: "none" })),
    insertIdentity(db, identity, isUnchanged(db, user.id, { email, verifiedByOwner: proved }, ...lacksOther)),
    ...takeOver(ended),
    queueAccountMail(db, "provider_linked", {
      userId: user.id,
      to: user.email,
      createdAt,
      payload: providerPayload(provider),
    }),
  ];
  const { endGivenAccess } = await import("../../../db/queries/given-access");
  const { setWorkspacesAside } = await import("../../../db/queries/set-aside");
  const linked = proved
    ? runBatch(db, statements([]))
    : endGivenAccess(db, user.id, { now: createdAt, takeTurn }, statements);
  await linked.catch((error: unknown) => {
    // A concurrent sign-in of the same user has linked it.
    if (!isAlreadyLinked(error)) throw isLinkOutdated(error) ? appError("sign_in_failed") : error;
  });
  deliverSoon(deps);
}

async function createAccount(
  deps: Dependencies,
  provider: ProviderSettings,
  profile: ProviderProfile & { email: string; language: Language | undefined },
  address: string,
): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  const now = clock.now();
  const createdAt = now.toISOString();
  const { email, firstName, lastName, subject, emailVerified, language: languagePreference } = profile;
  const { token, fields } = await newVerification(now);
  const sends =
    !emailVerified && (await rateLimiter.hit(RATE_RULES.mailsToAddress, mailboxOf(email))).allowed;
  const comesAlone = emailVerified && comesByDomain(deps.config, email);
  const way: NewUser["way"] = emailVerified
    ? wayOfInvited(email, createdAt, comesAlone ? "domain" : "provider")
    : "provider";
  const user = { email, firstName, lastName, languagePreference, createdAt, password: "", way };
  const statements = newAccount(
    deps,
    emailVerified ? { ...user, ...VERIFIED } : { ...user, ...fields },
    (userId) => [
      ...(comesAlone ? joinByDomain(deps, userId, { email, now: createdAt }) : []),
      ...(emailVerified ? deleteInvitation(db, email) : []),
      insertIdentity(db, { provider: provider.name, subject, userId, createdAt }),
      ...(sends
        ? [queueAccountMail(db, "verification", { userId, to: email, createdAt, payload: { token } })]
        : []),
    ],
    {
      actor: { kind: "newcomer", address },
      detail: { provider: provider.name },
      condition: signUpCondition(deps, { email, isVerified: emailVerified }),
    },
  );
  await runBatch(db, statements).catch(async (error: unknown) => {
    throw isSignUpRejected(error) ? await signUpError(deps) : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
}

const redirectUri = ({ config }: Dependencies, { name }: ProviderSettings) =>
  `${config.publicUrl}/api/auth/${name}/callback`;
