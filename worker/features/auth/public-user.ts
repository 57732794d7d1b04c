import type { User } from "../../../db/queries/users";

/** The user as any client may see it: without password or token. */
export function publicUser(user: User) {
  const {
    password: _password,
    verificationToken: _token,
    verificationExpiry: _expiry,
    avatarMimeType: _type,
    avatarSize: _size,
    ...visible
  } = user;
  return visible;
}
