import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";

/** A new column stays hidden until it is listed here. */
const PUBLIC_FIELDS = [
  "id",
  "firstName",
  "lastName",
  "companyName",
  "username",
  "phoneNumber",
  "avatarUrl",
  "themePreference",
  "languagePreference",
  "timeZone",
  "lastWorkspaceId",
  "onboardingCompleted",
  "usageType",
  "documentType",
  "hasSetAside",
  "createdAt",
] as const satisfies readonly (keyof User)[];

type PublicFields = Pick<User, (typeof PUBLIC_FIELDS)[number]>;

/** The user as the account's own clients see it: a changed address is theirs, and unverified until it is confirmed. */
export function publicUser(deps: Pick<Dependencies, "config" | "mailer">, user: User) {
  const fields = Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, user[field]])) as PublicFields;
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
