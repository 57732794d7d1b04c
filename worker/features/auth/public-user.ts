import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { isAdministrator } from "../../lib/administrators";

/** A new column stays hidden until it is listed here. */
const PUBLIC_FIELDS = [
  "id",
  "email",
  "isVerified",
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
  "createdAt",
] as const satisfies readonly (keyof User)[];

type PublicFields = Pick<User, (typeof PUBLIC_FIELDS)[number]>;

/** The user as the account's own clients see it. */
export function publicUser(config: AppConfig, user: User) {
  const fields = Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, user[field]])) as PublicFields;
  return { ...fields, isAdministrator: isAdministrator(config, user) };
}
