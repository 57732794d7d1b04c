import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import type { AppEnv, UserEnv } from "../../app-env";
import { archiveQuery } from "../../contract/envelopes";
import { contentDisposition } from "../../lib/file-names";
import { revocable } from "../../middleware/revocable-download";
import { asViewer, forUsers } from "../../middleware/session";
import { idOf, query } from "../../middleware/validate";

/** Submitted files in one ZIP archive; `?superseded=1` adds replaced ones. */
export const envelopeArchiveRoutes = new Hono<AppEnv>()
  .get(
    "/files.zip",
    forUsers("Download the files of several requests as a ZIP archive", { 200: "application/zip" }, [
      "envelope_not_found",
      "no_files",
    ]),
    query(archiveQuery),
    async (c) => {
      const chosen = c.req.valid("query");
      const { archiveEnvelopes } = await import("./envelope-archive.service");
      return archiveResponse(c, await archiveEnvelopes(c.var.deps, asViewer(c), chosen, optionsOf(c)));
    },
  )
  .get(
    "/:id/files.zip",
    forUsers(
      "Download the files of a request as a ZIP archive",
      { 200: "application/zip" },
      ["envelope_not_found", "no_files"],
      { query: z.object({ superseded: z.optional(z.enum(["1"])) }) },
    ),
    async (c) => {
      const { archiveEnvelope } = await import("./envelope-archive.service");
      return archiveResponse(c, await archiveEnvelope(c.var.deps, asViewer(c), idOf(c), optionsOf(c)));
    },
  );

const optionsOf = (c: Context<UserEnv>) => ({
  superseded: c.req.query("superseded") === "1",
  // HEAD checks whether there is anything to download.
  recorded: c.req.method === "GET",
  language: c.var.user.languagePreference,
});

async function archiveResponse(
  c: Context<UserEnv>,
  { archive, name, files }: { archive: ReadableStream<Uint8Array>; name: string; files: number },
) {
  const weight = Math.max(1, Math.ceil(files / 1000));
  return c.body(await revocable(c, asViewer(c), archive, weight), 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": contentDisposition("attachment", name),
  });
}
