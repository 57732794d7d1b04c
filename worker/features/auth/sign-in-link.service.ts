import { claimSignInLink } from "../../../db/queries/sign-in-links";
import { findUserById, type User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { requireEnabled } from "./auth.service";
import type { SignInClient } from "./known-browser";

/** Uses up the link. @throws AppError `invalid_token`, `account_disabled` */
export async function useSignInLink(deps: Dependencies, token: string, client: SignInClient): Promise<User> {
  const { db, clock } = deps;
  const userId = await claimSignInLink(db, await hashToken(token), clock.now().toISOString());
  const user = userId === undefined ? undefined : await findUserById(db, userId);
  if (!user) throw appError("invalid_token");
  requireEnabled(deps, user, "link", client);
  return user;
}
