import { Hono } from "hono";
import { runBatch } from "../../../db/client";
import { isAccountMissing, whileAccountExists } from "../../../db/queries/notifications";
import type { AppEnv } from "../../app-env";
import { supportInput } from "../../contract/support";
import { rejectedAs } from "../../errors";
import { countTry } from "../../middleware/rate-limit";
import { forSessions } from "../../middleware/session";
import { jsonBody } from "../../middleware/validate";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";
import { RATE_RULES } from "../rate-limits/rate-rules";

export const supportRoutes = new Hono<AppEnv>().post(
  "/messages",
  forSessions("Send a message to the operator", { 204: null }),
  jsonBody(supportInput),
  async (c) => {
    const { db, clock, config } = c.var.deps;
    await countTry(c, RATE_RULES.supportMessages, String(c.var.user.id));
    const { message } = c.req.valid("json");
    const { id: userId } = c.var.user;
    await runBatch(db, [
      queueAccountMail(db, "support", {
        userId,
        to: whileAccountExists(userId, config.supportEmail),
        createdAt: clock.now().toISOString(),
        payload: { message },
      }),
    ]).catch(rejectedAs(isAccountMissing, "unauthenticated"));
    deliverSoon(c.var.deps);
    return c.body(null, 204);
  },
);
