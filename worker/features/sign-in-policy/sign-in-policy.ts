import { hasProvider } from "../../../db/queries/identities";
import type { EnabledSignIn } from "../../../db/queries/remaining-sign-in";
import { hasSecondFactor } from "../../../db/queries/second-factors";
import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { SIGN_IN_PROVIDERS, type SignInMethod } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * Whether the account is an administrator. `ADMIN_EMAILS` alone decides if it is set, by the account's address, which
 * must be verified and proved because anybody may claim an address, also before it was listed, and not about to change.
 * Otherwise the account's role does.
 */
export function isAdministrator({ adminEmails }: AppConfig, account: Account): boolean {
  const { email, pendingEmail, isVerified, verifiedByOwner, disabledAt } = account;
  if (disabledAt !== null) return false;
  if (adminEmails.length > 0)
    return isVerified && verifiedByOwner && pendingEmail === null && adminEmails.includes(email);
  return account.isAdministrator === true;
}

type Account = Pick<
  User,
  "email" | "pendingEmail" | "isVerified" | "verifiedByOwner" | "isAdministrator" | "disabledAt"
>;

/** What signs in here. */
export const enabledSignIn = ({ allowsPasswords, signInProviders, publicUrl }: AppConfig): EnabledSignIn => ({
  passwords: allowsPasswords,
  providers: signInProviders.map(({ name }) => name),
  host: new URL(publicUrl).hostname,
});

/** @throws AppError `password_sign_in_off` */
export function requirePasswordSignIn({ allowsPasswords }: AppConfig): void {
  if (!allowsPasswords) throw appError("password_sign_in_off");
}

/** Whether the operator demands a second factor of this account. */
export function demandsSecondFactor(config: AppConfig, user: User): boolean {
  const demanded = {
    optional: false,
    administrators: isAdministrator(config, user),
    everybody: true,
  } satisfies Record<AppConfig["twoFactor"], boolean>;
  return demanded[config.twoFactor];
}

/** Whether the operator demands a second factor of the account only until it changes its address. */
export const isFactorOfAddress = (config: AppConfig, user: User): boolean =>
  demandsSecondFactor(config, user) && !demandsSecondFactor(config, { ...user, pendingEmail: user.email });

/** Whether the account lacks a second factor that the operator demands of it. A provider has asked for its own. */
export async function lacksSecondFactor(
  { db, config }: Dependencies,
  user: User,
  method: SignInMethod | null,
): Promise<boolean> {
  if (!demandsSecondFactor(config, user) || SIGN_IN_PROVIDERS.some((provider) => provider === method))
    return false;
  return !(await hasSecondFactor(db, user.id));
}

/** @throws AppError `second_factor_setup_required` */
export async function requireSecondFactorSetUp(
  deps: Dependencies,
  user: User,
  method: SignInMethod | null,
): Promise<void> {
  if (await lacksSecondFactor(deps, user, method)) throw appError("second_factor_setup_required");
}

/**
 * Whether the operator demands a second factor of the account, and a linked provider is one. Then neither its password nor
 * another provider with its address may sign in instead: access to the mailbox gives both.
 */
export async function isProviderDemanded({ db, config }: Dependencies, user: User): Promise<boolean> {
  return (
    demandsSecondFactor(config, user) && (await hasProvider(db, user.id, enabledSignIn(config).providers))
  );
}
