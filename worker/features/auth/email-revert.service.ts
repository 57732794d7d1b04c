import { insertEmailRevert, isRevertible } from "../../../db/queries/email-reverts";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { newRevert } from "./mailed-links";

/**
 * The link by which the account's current address can undo its replacement: a token to mail and the statements that
 * store it. There is no link if the account returns to an address that could undo the change itself: the address in
 * between may never have been the owner's.
 */
export async function newEmailRevert(
  { db, clock }: Dependencies,
  user: Pick<User, "id" | "email" | "isVerified" | "verifiedByOwner">,
  newEmail: string,
) {
  const now = clock.now();
  const createdAt = now.toISOString();
  if (await isRevertible(db, user.id, newEmail, createdAt)) return { token: null, statements: [] };
  const { token, fields } = await newRevert(now);
  const { id: userId, email, isVerified, verifiedByOwner } = user;
  const revert = { ...fields, userId, email, isVerified, verifiedByOwner, createdAt };
  return { token, statements: [insertEmailRevert(db, revert)] };
}
