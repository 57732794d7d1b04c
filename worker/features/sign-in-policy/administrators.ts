import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";

/**
 * Whether the account is an administrator. `ADMIN_EMAILS` alone decides if it is set, by the account's address, which
 * must be verified because anybody may claim an address, and not about to change. Otherwise the account's role does.
 */
export function isAdministrator({ adminEmails }: AppConfig, account: Account): boolean {
  const { email, pendingEmail, isVerified, disabledAt } = account;
  if (disabledAt !== null) return false;
  if (adminEmails.length > 0) return isVerified && pendingEmail === null && adminEmails.includes(email);
  return account.isAdministrator === true;
}

type Account = Pick<User, "email" | "pendingEmail" | "isVerified" | "isAdministrator" | "disabledAt">;
