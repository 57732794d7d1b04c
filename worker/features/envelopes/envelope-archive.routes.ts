import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { contentDisposition } from "../../lib/file-names";
import { callerOf, requireUser } from "../../middleware/session";
import { rowIdParam } from "../../middleware/validate";
import { archiveEnvelope } from "./envelope-archive.service";

/** The submitted files of an envelope in one ZIP archive; `?superseded=1` adds those that were replaced. */
export const envelopeArchiveRoutes = new Hono<AppEnv>().get("/:id/files.zip", requireUser, async (c) => {
  const id = rowIdParam(c.req.param("id"));
  const superseded = c.req.query("superseded") === "1";
  const { archive, name } = await archiveEnvelope(c.var.deps, callerOf(c), id, { superseded });
  return c.body(archive, 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": contentDisposition("attachment", name),
  });
});
