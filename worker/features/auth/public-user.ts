import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { isAdministrator } from "../../lib/administrators";

/** The user as the account's own clients see it. A new column stays hidden until it is listed here. */
export function publicUser(config: AppConfig, user: User) {
  const { id, email, isVerified, firstName, lastName, companyName, username, phoneNumber, avatarUrl } = user;
  const { themePreference, languagePreference, timeZone, lastWorkspaceId } = user;
  const { onboardingCompleted, usageType, documentType, createdAt } = user;
  return {
    id,
    email,
    isVerified,
    firstName,
    lastName,
    companyName,
    username,
    phoneNumber,
    avatarUrl,
    themePreference,
    languagePreference,
    timeZone,
    lastWorkspaceId,
    onboardingCompleted,
    usageType,
    documentType,
    createdAt,
    isAdministrator: isAdministrator(config, user),
  };
}
