import { type Context, Hono } from "hono";
import * as z from "zod";
import { runBatch } from "../../../db/client";
import { insertDownloads } from "../../../db/queries/envelope-events";
import { findSubmittedFile } from "../../../db/queries/submissions";
import type { AppEnv, UserEnv } from "../../app-env";
import { INLINE_TYPES } from "../../contract/files";
import { appError } from "../../errors";
import { matchesEtag } from "../../lib/etag";
import { contentDisposition } from "../../lib/file-names";
import { fileHeaders } from "../../lib/security-headers";
import { storedAvatar } from "../../lib/stored-avatar";
import { describe } from "../../middleware/describe";
import { requireUserOrHide } from "../../middleware/session";
import { parseRange } from "./byte-range";

type ServedFile = {
  fileName: string;
  mimeType: string;
  fileSize: number;
  /** Absent for a file outside an envelope. */
  envelopeId?: number;
  documentName?: string;
  /** Set while the file is in quarantine. */
  scanDueAt?: string | null;
};

const fileQuery = z.object({ download: z.string().optional() });

/** Uploaded files, for their owner only. Everybody else gets 404. */
export const fileRoutes = new Hono<AppEnv>().get(
  "/:name",
  requireUserOrHide,
  describe(
    "Download a file",
    { 200: "*/*", 206: "*/*", 304: null },
    ["not_found", "file_held_back", "range_not_satisfiable"],
    { texts: ["name"], query: fileQuery },
  ),
  async (c) => {
    const name = c.req.param("name");
    const file = ownAvatar(c, name) ?? (await findSubmittedFile(c.var.deps.db, c.var.user.id, name));
    if (!file) throw appError("not_found");
    if (file.scanDueAt) throw appError("file_held_back", { params: { document: file.documentName ?? "" } });
    return serve(c, name, file);
  },
);

function ownAvatar(c: Context<UserEnv>, name: string): ServedFile | undefined {
  const avatar = storedAvatar(c.var.user);
  return avatar?.key === name ? { fileName: "avatar", ...avatar } : undefined;
}

async function serve(c: Context<UserEnv>, name: string, file: ServedFile): Promise<Response> {
  const { config, files, log } = c.var.deps;
  const etag = `"${name}"`;
  const inline = c.req.query("download") === undefined && isInline(file.mimeType);
  const headers: Record<string, string> = {
    ...fileHeaders(config.transport),
    "Content-Type": file.mimeType,
    "Content-Disposition": contentDisposition(inline ? "inline" : "attachment", file.fileName),
    "Accept-Ranges": "bytes",
    ETag: etag,
  };
  if (matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);

  const ifRange = c.req.header("if-range");
  const rangeApplies = ifRange === undefined || ifRange === etag;
  const range = rangeApplies ? parseRange(c.req.header("range"), file.fileSize) : null;
  if (range === "unsatisfiable") {
    c.header("Accept-Ranges", "bytes");
    c.header("Content-Range", `bytes */${file.fileSize}`);
    throw appError("range_not_satisfiable");
  }

  const length = String(range ? range.length : file.fileSize);
  if (range)
    headers["Content-Range"] = `bytes ${range.offset}-${range.offset + range.length - 1}/${file.fileSize}`;
  const body = await files.read(name, range ?? undefined, { toSend: true });
  if (!body) throw appError("not_found");
  log.info("downloaded", { userId: c.var.user.id, file: name });
  if (c.req.method === "GET" && c.req.query("download") !== undefined && !range?.offset)
    recordDownload(c, file);
  return c.body(body, range ? 206 : 200, { ...headers, "Content-Length": length });
}

/**
 * A GET that writes: it records the owner's own download. The response neither waits for the write nor fails with it.
 */
function recordDownload(c: Context<UserEnv>, { envelopeId, documentName }: ServedFile): void {
  const { db, clock, background } = c.var.deps;
  if (envelopeId === undefined || documentName === undefined) return;
  const at = clock.now().toISOString();
  const event = { downloads: [{ envelopeId, documentName }], address: c.env.clientAddress, at };
  background.run("download", () => runBatch(db, [insertDownloads(db, c.var.user.id, event)]));
}

const isInline = (mimeType: string) => INLINE_TYPES.some((type) => type === mimeType);
