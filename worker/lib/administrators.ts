import type { User } from "../../db/queries/users";
import type { AppConfig } from "../config";

/**
 * Whether the account is an administrator: if `ADMIN_EMAILS` is set, by its address, which must be verified because
 * anybody may claim an address; otherwise, if it is the first account.
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
