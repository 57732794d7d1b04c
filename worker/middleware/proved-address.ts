import { createMiddleware } from "hono/factory";
import type { UserEnv } from "../app-env";
import { requireProved } from "../features/sign-in-policy/proved-address";
import { withDescription } from "./describe";

/**
 * For calls that need a proved address, see `hasProvedAddress`. It comes after `requireUser` or `requireSignIn`.
 * @throws AppError `address_not_proved`
 */
export const requireProvedAddress = withDescription(
  createMiddleware<UserEnv>((c, next) => {
    requireProved(c.var.deps, c.var.user);
    return next();
  }),
  { errors: ["address_not_proved"] },
);
