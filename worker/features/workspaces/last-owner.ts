import { listOwnedAlone } from "../../../db/queries/membership";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";

/** The error for an account without which workspaces would have no owner, with those workspaces. */
export async function lastOwner({ db }: Pick<Dependencies, "db">, userId: number): Promise<AppError> {
  return appError("last_owner", { workspaces: await listOwnedAlone(db, userId) });
}
