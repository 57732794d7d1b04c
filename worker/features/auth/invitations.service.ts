import { runBatch } from "../../../db/client";
import {
  deleteInvitation,
  findInvitation,
  type Invitation,
  isInvitedByLink,
} from "../../../db/queries/invitations";
import { findUserByEmail, insertUser, isSignUpRejected, type User } from "../../../db/queries/users";
import { insertFirstWorkspace } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { FIRST_WORKSPACE, throwIfEmailTaken } from "./auth.service";
import { signUpError } from "./sign-up";

/** The invitation of a mailed link. @throws AppError `invalid_token`; `sign_up_closed` while sign-up is off */
export async function requireInvitation(deps: Dependencies, token: string): Promise<Invitation> {
  const { db, config, clock } = deps;
  if (config.signUp === "off") throw signUpError(deps);
  const invitation = await findInvitation(db, await hashToken(token), clock.now().toISOString());
  if (!invitation) throw appError("invalid_token");
  return invitation;
}

/**
 * Creates the account of an invitation. Its address is verified, because the link was mailed to it.
 * @throws AppError `invalid_token`, `sign_up_closed`, `email_taken`
 */
export async function acceptInvitation(
  deps: Dependencies,
  input: { token: string; password: string },
): Promise<User> {
  const { db, clock, passwordHasher } = deps;
  const { email, tokenHash } = await requireInvitation(deps, input.token);
  const password = await passwordHasher.inTurn(() => passwordHasher.hash(input.password));
  const createdAt = clock.now().toISOString();
  await runBatch(db, [
    insertUser(
      db,
      { email, password, createdAt, isVerified: true },
      isInvitedByLink(db, email, { tokenHash, now: createdAt }),
    ),
    insertFirstWorkspace(db, email, { name: FIRST_WORKSPACE, createdAt, updatedAt: createdAt }),
    ...deleteInvitation(db, email),
  ]).catch((error: unknown) => {
    throw isSignUpRejected(error) ? appError("invalid_token") : throwIfEmailTaken(error);
  });
  const user = await findUserByEmail(db, email);
  if (!user) throw new Error("The account no longer exists");
  return user;
}
