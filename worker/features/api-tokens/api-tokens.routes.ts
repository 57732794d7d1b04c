import { Hono } from "hono";
import { listApiTokens } from "../../../db/queries/api-tokens";
import type { AppEnv } from "../../app-env";
import { apiTokenInput, apiTokenResponse, newApiTokenResponse } from "../../contract/api-tokens";
import { respond, whenLogged } from "../../middleware/describe";
import { noIdempotencyKey } from "../../middleware/idempotency";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { forSessions } from "../../middleware/session";
import { idOf, jsonBody } from "../../middleware/validate";
import { apiTokenView, issueApiToken, revokeApiToken } from "./api-tokens.service";

/** The API tokens of an account. Managing them requires a session. */
export const apiTokenRoutes = new Hono<AppEnv>()
  .get("/", forSessions("List the API tokens", { 200: [apiTokenResponse] }), async (c) =>
    respond(c, (await listApiTokens(c.var.deps.db, c.var.user.id)).map(apiTokenView)),
  )
  .post(
    "/",
    forSessions("Create an API token", { 201: newApiTokenResponse }, [
      "too_many_tokens",
      "workspace_not_found",
    ]),
    requireRecentSignIn,
    noIdempotencyKey,
    jsonBody(apiTokenInput),
    async (c) => {
      const caller = { userId: c.var.user.id, sid: c.var.sid };
      const token = await issueApiToken(c.var.deps, caller, c.req.valid("json"));
      c.var.deps.log.info("API token created", { userId: c.var.user.id, tokenId: token.id });
      return respond(c, token);
    },
  )
  .delete("/:id", forSessions("Revoke an API token", { 204: null }), async (c) => {
    const tokenId = idOf(c);
    const revoked = revokeApiToken(c.var.deps, c.var.user.id, tokenId);
    return whenLogged(c, revoked, "API token revoked", { tokenId });
  });
