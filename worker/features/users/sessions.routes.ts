import { Hono } from "hono";
import { deleteSession, deleteSessions } from "../../../db/queries/sessions";
import type { AppEnv } from "../../app-env";
import { clearSessionCookie, requireSignIn } from "../../middleware/session";
import { readSessions, requireSession } from "./sessions.service";

/** The account's sessions, and signing out of them. */
export const sessionRoutes = new Hono<AppEnv>()
  .get("/", requireSignIn, async (c) => c.json(await readSessions(c.var.deps, c.var.user.id, c.var.sid)))
  .delete("/", requireSignIn, async (c) => {
    await deleteSessions(c.var.deps.db, c.var.user.id, c.var.sid);
    c.var.deps.log.info("signed out everywhere else", { userId: c.var.user.id });
    return c.body(null, 204);
  })
  .delete("/:id", requireSignIn, async (c) => {
    const sid = await requireSession(c.var.deps, c.var.user.id, c.req.param("id"));
    await deleteSession(c.var.deps.db, sid);
    if (sid === c.var.sid) clearSessionCookie(c);
    c.var.deps.log.info("signed out elsewhere", { userId: c.var.user.id });
    return c.body(null, 204);
  });
