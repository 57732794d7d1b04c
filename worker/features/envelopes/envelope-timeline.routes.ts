import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { describe } from "../../middleware/describe";
import { requireUser } from "../../middleware/session";
import { rowIdParam } from "../../middleware/validate";
import { readTimeline } from "./envelope-timeline.service";

export const envelopeTimelineRoutes = new Hono<AppEnv>().get(
  "/:id/timeline",
  requireUser,
  describe("Read the timeline of a request", { 200: "TimelineEntry[]" }, ["envelope_not_found", "not_found"]),
  async (c) => c.json(await readTimeline(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")))),
);
