import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { reviewInput } from "../../contract/review";
import { describe } from "../../middleware/describe";
import { callerOf, requireUser } from "../../middleware/session";
import { jsonBody, requireJson, rowIdParam } from "../../middleware/validate";
import { envelopeView } from "./envelope-view";
import { reviewEnvelope } from "./review.service";

/** Accepting submitted documents, or asking for them again. */
export const reviewRoutes = new Hono<AppEnv>().post(
  "/:id/review",
  requireUser,
  describe("Accept documents or ask for them again", { 200: "Request" }, [
    "envelope_not_found",
    "not_found",
    "unknown_document",
    "expired_needs_date",
    "not_completed",
    "document_not_received",
    "nothing_to_undo",
    "envelope_changed",
    "too_many_messages",
  ]),
  requireJson,
  jsonBody(reviewInput),
  async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const envelope = await reviewEnvelope(
      c.var.deps,
      { ...callerOf(c), user: c.var.user },
      id,
      c.req.valid("json"),
    );
    return c.json(envelopeView(envelope, c.var.deps.clock.now()));
  },
);
