import type { User } from "../../db/queries/users";
import type { AppConfig } from "../config";

/**
 * Whether the account administers this instance: by its address if `ADMIN_EMAILS` lists it and it is verified, since
 * anybody may claim an address; without that variable, if it is the first account.
 */
export function isAdministrator(
  { adminEmails }: AppConfig,
  {
    id,
    email,
    isVerified,
    isFirst,
    disabledAt,
  }: Pick<User, "id" | "email" | "isVerified" | "isFirst" | "disabledAt">,
): boolean {
  if (disabledAt !== null) return false;
  if (adminEmails.length > 0) return isVerified && adminEmails.includes(email);
  return isFirst ?? id === 1;
}
