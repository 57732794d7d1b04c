import { isInvitedOrFirst } from "../../../db/queries/invitations";
import { hasUsers, type insertUser, isFirstAccount } from "../../../db/queries/users";
import type { SignUpMode } from "../../contract/administration";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";

/** Who may make an account now: while there is none, anybody. */
export async function currentSignUp({ db, config }: Dependencies): Promise<SignUpMode> {
  return config.signUp === "open" || (await hasUsers(db)) ? config.signUp : "open";
}

/** Why no account is made for somebody without an invitation. */
export function signUpRefusal({ config }: Dependencies): AppError {
  return appError(config.signUp === "invite" ? "invitation_required" : "sign_up_closed");
}

/** @throws AppError `sign_up_closed`, `invitation_required` where nobody may make an account without an invitation */
export async function requireOpenSignUp(deps: Dependencies): Promise<void> {
  if ((await currentSignUp(deps)) !== "open") throw signUpRefusal(deps);
}

/**
 * What must hold when the account is made, for `insertUser`. An invitation counts for its address alone, so only where
 * that is known to be the visitor's own.
 */
export function signUpCondition(
  { db, config, clock }: Dependencies,
  { email, isVerified }: { email: string; isVerified: boolean },
): Parameters<typeof insertUser>[2] {
  if (config.signUp === "open") return undefined;
  if (config.signUp === "off" || !isVerified) return isFirstAccount;
  return isInvitedOrFirst(db, email, clock.now().toISOString());
}
