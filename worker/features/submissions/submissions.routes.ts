import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { AppEnv } from "../../app-env";
import { submitInput } from "../../contract/submissions";
import { RATE_RULES } from "../../lib/rate-rules";
import { limitByAddress } from "../../middleware/rate-limit";
import { signedInUserId } from "../../middleware/session";
import { jsonBody, optionalJson } from "../../middleware/validate";
import { announcedLength } from "../files/upload-quotas";
import { recipientView } from "./recipient-view";
import {
  completeSubmission,
  recordOpening,
  requireOpenEnvelope,
  requireUploadsFinished,
  type Submitted,
  submitUploads,
} from "./submissions.service";

/** The link's state and its unfinished uploads come before anything that the body says. */
const openEnvelope = createMiddleware<AppEnv & { Variables: { envelope: RecipientEnvelope } }>(
  async (c, next) => {
    const envelope = await requireOpenEnvelope(c.var.deps, c.req.param("token") ?? "");
    requireUploadsFinished(envelope);
    c.set("envelope", envelope);
    await next();
  },
);

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
    return submittedResponse(c, await completeSubmission(c.var.deps, c.req.param("token"), upload));
  })
  .post(
    "/:token/submit",
    limitByAddress(RATE_RULES.submissions),
    openEnvelope,
    optionalJson,
    jsonBody(submitInput),
    async (c) => {
      const answer = { words: c.req.valid("json"), address: c.env.clientAddress };
      return submittedResponse(c, await submitUploads(c.var.deps, c.var.envelope, answer));
    },
  );

function submittedResponse<Env extends AppEnv>(
  c: Context<Env>,
  { envelopeId, submittedAt, files }: Submitted,
) {
  c.var.deps.log.info("submitted", { envelopeId, files: files.length });
  const submissions = files.map(({ document, fileName, fileSize, sha256 }) => ({
    documentName: document.name,
    fileName,
    fileSize,
    sha256,
  }));
  return c.json({ status: "completed" as const, submittedAt, submissions }, 201);
}
