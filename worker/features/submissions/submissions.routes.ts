import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { RATE_RULES } from "../../lib/rate-rules";
import { limitByAddress } from "../../middleware/rate-limit";
import { signedInUserId } from "../../middleware/session";
import { announcedLength } from "../files/upload-quotas";
import { recipientView } from "./recipient-view";
import { completeSubmission, recordOpening, requireOpenEnvelope } from "./submissions.service";

export const submissionRoutes = new Hono<AppEnv>()
  .get("/:token", limitByAddress(RATE_RULES.linkReads), async (c) =>
    c.json(recipientView(await requireOpenEnvelope(c.var.deps, c.req.param("token")), c.var.deps)),
  )
  .post("/:token/opened", limitByAddress(RATE_RULES.openings), async (c) => {
    const visitor = { userId: await signedInUserId(c), address: c.env.clientAddress };
    await recordOpening(c.var.deps, c.req.param("token"), visitor);
    return c.body(null, 204);
  })
  .post("/:token", limitByAddress(RATE_RULES.submissions), async (c) => {
    c.env.allowSlowBody?.();
    const upload = {
      body: c.req.raw.body,
      contentType: c.req.header("content-type"),
      contentLength: announcedLength(c.req.header("content-length")),
      address: c.env.clientAddress,
    };
    const { envelopeId, files } = await completeSubmission(c.var.deps, c.req.param("token"), upload);
    c.var.deps.log.info("submitted", { envelopeId, files: files.length });
    const submissions = files.map(({ about, size }) => ({
      documentName: about.document.name,
      fileName: about.fileName,
      fileSize: size,
    }));
    return c.json({ status: "completed" as const, submissions }, 201);
  });
