import { createMiddleware } from "hono/factory";
import type { UserEnv } from "../app-env";
import { requireRecent } from "../features/auth/reauthentication.service";
import { withDescription } from "./describe";
import { checkCaller } from "./late-body";

/**
 * For calls that would let somebody at an unlocked computer keep access to the account or a workspace: passes the request
 * on if its session began or was confirmed within the last ten minutes. Calls with an API token pass.
 * @throws AppError `reauthentication_required` with the methods that `POST /api/reauthenticate` accepts
 */
export const requireRecentSignIn = withDescription(
  createMiddleware<UserEnv>(async (c, next) => {
    await checkCaller(c, () => requireRecentSession(c.var));
    await next();
  }),
  { errors: ["reauthentication_required"] },
);

/** The same for a handler whose request decides whether it is needed. @throws AppError `reauthentication_required` */
export async function requireRecentSession({ deps, user, session }: UserEnv["Variables"]): Promise<void> {
  if (session) await requireRecent(deps, { ...session, user });
}
