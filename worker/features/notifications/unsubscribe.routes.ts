import { type Context, Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { unsubscriptionResponse } from "../../contract/unsubscribe";
import { describe, respond } from "../../middleware/describe";
import { limitByAddress } from "../../middleware/rate-limit";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { requireSender, setUnsubscribed } from "./unsubscribe.service";

const LINK = { texts: ["token"], errorsAt: { 404: ["invalid_token"] } } as const;
const limit = limitByAddress(RATE_RULES.unsubscribes);

/**
 * Whether a mail provider may have sent the request, for a recipient who pressed its button (RFC 8058): without
 * cookies, from any origin. Only the token in its path counts.
 */
export const isOneClick = (c: Context) =>
  c.req.method === "POST" && c.req.path.startsWith("/api/unsubscribe/");

/** The link by which a recipient stops the mails of an account. Opening it changes nothing. */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .get(
    "/:token",
    describe("Read whose mails a link stops", { 200: unsubscriptionResponse, 303: null }, [], {
      ...LINK,
      details: "A browser that opens it is redirected to the page of the link.",
    }),
    limit,
    async (c) => {
      const token = c.req.param("token");
      const unsubscription = await requireSender(c.var.deps, token);
      if (c.req.header("accept")?.includes("text/html")) return c.redirect(`/unsubscribe/${token}`, 303);
      return respond(c, unsubscription);
    },
  )
  .post(
    "/:token",
    describe("Stop the mails of a sender", { 200: unsubscriptionResponse }, [], {
      ...LINK,
      details: "Mail clients call it with one click (RFC 8058). The body is ignored.",
    }),
    limit,
    async (c) => respond(c, await setUnsubscribed(c.var.deps, c.req.param("token"), true)),
  )
  .delete(
    "/:token",
    describe("Allow the mails of a sender again", { 200: unsubscriptionResponse }, [], LINK),
    limit,
    async (c) => respond(c, await setUnsubscribed(c.var.deps, c.req.param("token"), false)),
  );
