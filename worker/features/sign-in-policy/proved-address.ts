import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * Whether the account's address is proved: by its link in a session of the account, by a reset, an invitation, a provider,
 * the setup link or the operator. Without a mail server nobody could prove one, so nothing waits for it.
 */
export const hasProvedAddress = (
  { mailer }: Pick<Dependencies, "mailer">,
  { verifiedByOwner }: Pick<User, "verifiedByOwner">,
): boolean => verifiedByOwner || mailer.localOnly === true;

/** For what must not outlive a stranger who has registered the address of somebody else. @throws AppError `address_not_proved` */
export function requireProved(deps: Pick<Dependencies, "mailer">, user: Pick<User, "verifiedByOwner">): void {
  if (!hasProvedAddress(deps, user)) throw appError("address_not_proved");
}
