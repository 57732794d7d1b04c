import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { answersQuery, revealedAnswerResponse } from "../../contract/envelopes";
import { csvHeaders } from "../../lib/csv";
import { describe, respond, whenDone } from "../../middleware/describe";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { revocable } from "../../middleware/revocable-download";
import { asMember, asViewer, forUsers, requireSignIn } from "../../middleware/session";
import { idOf, query } from "../../middleware/validate";
import { requireOwnWorkspace } from "../workspaces/workspaces.service";

const loadService = () => import("./answers.service");

/** The submitted answers to questions. */
export const answerRoutes = new Hono<AppEnv>()
  .get(
    "/answers.csv",
    forUsers(
      "Download the answers as a CSV file",
      { 200: "text/csv" },
      ["envelope_not_found", "workspace_not_found"],
      {
        details:
          "A row for each completed request, a column for each question by its name. Confidential answers are left out.",
      },
    ),
    query(answersQuery),
    async (c) => {
      const filter = c.req.valid("query");
      if (filter.workspaceId !== undefined)
        await requireOwnWorkspace(c.var.deps, asViewer(c), filter.workspaceId);
      const { answersCsv } = await loadService();
      const file = await answersCsv(c.var.deps, asViewer(c), filter, c.var.user.languagePreference);
      return c.body(await revocable(c, asViewer(c), file), 200, csvHeaders("answers.csv"));
    },
  )
  .post(
    "/:id/answers/:documentId/reveal",
    requireSignIn,
    requireRecentSignIn,
    describe("Reveal a confidential answer", { 200: revealedAnswerResponse }, [
      "envelope_not_found",
      "role_required",
      "not_found",
    ]),
    async (c) => {
      const [id, documentId] = [idOf(c), idOf(c, "documentId")];
      c.header("Cache-Control", "no-store");
      const { revealAnswer } = await loadService();
      return respond(c, { value: await revealAnswer(c.var.deps, asMember(c), id, documentId) });
    },
  )
  .delete(
    "/:id/answers/:documentId",
    forUsers("Delete an answer", { 204: null }, ["envelope_not_found", "role_required", "not_found"], {
      details: "That there was an answer remains.",
    }),
    async (c) => {
      const [id, documentId] = [idOf(c), idOf(c, "documentId")];
      const { deleteAnswer } = await loadService();
      return whenDone(c, deleteAnswer(c.var.deps, asMember(c), id, documentId));
    },
  );
