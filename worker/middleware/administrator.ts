import { createMiddleware } from "hono/factory";
import type { SignedInEnv } from "../app-env";
import { appError } from "../errors";
import { isAdministrator } from "../lib/administrators";
import { descriptionOf, withDescription } from "./describe";
import { requireSignIn } from "./session";

const { access, errors = [] } = descriptionOf(requireSignIn);

/** Like `requireSignIn`, but answers 403 unless the user is an administrator now. */
export const requireAdministrator = withDescription(
  createMiddleware<SignedInEnv>((c, next) =>
    requireSignIn(c, async () => {
      if (!isAdministrator(c.var.deps.config, c.var.user)) throw appError("administrators_only");
      await next();
    }),
  ),
  { ...(access && { access }), errors: [...errors, "administrators_only"] },
);
