import { isInvitedOrFirst } from "../../../db/queries/invitations";
import { hasUsers, type insertUser, isFirstAccount } from "../../../db/queries/users";
import type { SignUpMode } from "../../contract/administration";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";

/** Who may create an account now; while there is none, anybody. */
export async function currentSignUp({ db, config }: Dependencies): Promise<SignUpMode> {
  return config.signUp === "open" || (await hasUsers(db)) ? config.signUp : "open";
}

/** Why somebody without an invitation cannot create an account. */
export function signUpError({ config }: Dependencies): AppError {
  return appError(config.signUp === "invite" ? "invitation_required" : "sign_up_closed");
}

/** @throws AppError `sign_up_closed`, `invitation_required` if an account requires an invitation */
export async function requireOpenSignUp(deps: Dependencies): Promise<void> {
  if ((await currentSignUp(deps)) !== "open") throw signUpError(deps);
}

/**
 * The condition under which `insertUser` creates the account. An invitation only counts for its own address, so it is
 * only checked if the visitor has proved to own the address.
 */
export function signUpCondition(
  { db, config, clock }: Dependencies,
  { email, isVerified }: { email: string; isVerified: boolean },
): Parameters<typeof insertUser>[2] {
  if (config.signUp === "open") return undefined;
  if (config.signUp === "off" || !isVerified) return isFirstAccount;
  return isInvitedOrFirst(db, email, clock.now().toISOString());
}
