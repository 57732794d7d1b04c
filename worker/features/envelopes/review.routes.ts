import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { reviewInput } from "../../contract/review";
import { callerOf, requireUser } from "../../middleware/session";
import { jsonBody, requireJson, rowIdParam } from "../../middleware/validate";
import { envelopeView } from "./envelope-view";
import { reviewEnvelope } from "./review.service";

/** Accepting submitted documents, or asking for them again. */
export const reviewRoutes = new Hono<AppEnv>().post(
  "/:id/review",
  requireUser,
  requireJson,
  jsonBody(reviewInput),
  async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const envelope = await reviewEnvelope(c.var.deps, callerOf(c), id, c.req.valid("json"));
    return c.json(envelopeView(envelope, c.var.deps.clock.now()));
  },
);
