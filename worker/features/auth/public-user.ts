import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { isAdministrator } from "../../lib/administrators";

/** The user as any client may see it: without password or token. */
export function publicUser(config: AppConfig, user: User) {
  const {
    password: _password,
    verificationToken: _token,
    verificationExpiry: _expiry,
    avatarMimeType: _type,
    avatarSize: _size,
    isFirst: _isFirst,
    disabledAt: _disabledAt,
    lastSeenAt: _lastSeenAt,
    storageQuota: _storageQuota,
    ...visible
  } = user;
  return { ...visible, isAdministrator: isAdministrator(config, user) };
}
