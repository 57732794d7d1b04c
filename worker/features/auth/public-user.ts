import type { User } from "../../../db/queries/users";
import { USER_COLUMNS } from "../../contract/users";
import type { Dependencies } from "../../dependencies";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";

type Columns = Pick<User, (typeof USER_COLUMNS)[number]>;

/** The user as the account's own clients see it: a changed address is theirs, and unverified until it is confirmed. */
export function publicUser(deps: Pick<Dependencies, "config" | "mailer">, user: User) {
  const fields = Object.fromEntries(USER_COLUMNS.map((name) => [name, user[name]])) as Columns;
  const { email, pendingEmail } = user;
  return {
    ...fields,
    email: pendingEmail ?? email,
    isVerified: user.isVerified && pendingEmail === null,
    isProved: hasProvedAddress(deps, user),
    /** The address that the account uses until `email` is confirmed. */
    confirmedEmail: pendingEmail === null || pendingEmail === email ? null : email,
    isAdministrator: isAdministrator(deps.config, user),
  };
}
