import { Hono } from "hono";
import { deleteSession, deleteSessions } from "../../../db/queries/sessions";
import type { AppEnv } from "../../app-env";
import { sessionResponse } from "../../contract/users";
import { describe, respond } from "../../middleware/describe";
import { clearSessionCookie, requireSignIn } from "../../middleware/session";
import { readSessions, requireSession } from "./sessions.service";

/** The account's sessions, and ending them. */
export const sessionRoutes = new Hono<AppEnv>()
  .get("/", requireSignIn, describe("List the sessions", { 200: [sessionResponse] }), async (c) =>
    respond(c, await readSessions(c.var.deps, c.var.user.id, c.var.sid)),
  )
  .delete("/", requireSignIn, describe("Sign out everywhere else", { 204: null }), async (c) => {
    await deleteSessions(c.var.deps.db, c.var.user.id, c.var.sid);
    c.var.deps.log.info("signed out of other sessions", { userId: c.var.user.id });
    return c.body(null, 204);
  })
  .delete(
    "/:id",
    requireSignIn,
    describe("End a session", { 204: null }, ["not_found"], { texts: ["id"] }),
    async (c) => {
      const sid = await requireSession(c.var.deps, c.var.user.id, c.req.param("id"));
      await deleteSession(c.var.deps.db, sid);
      if (sid === c.var.sid) clearSessionCookie(c);
      c.var.deps.log.info("signed out of a session", { userId: c.var.user.id });
      return c.body(null, 204);
    },
  );
