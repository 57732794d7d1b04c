import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import { runBatch } from "../../../db/client";
import { insertDownloads } from "../../../db/queries/envelope-events";
import { findPicture } from "../../../db/queries/people";
import { findSubmittedFile, updateOpened } from "../../../db/queries/submissions";
import type { AppEnv, UserEnv } from "../../app-env";
import { INLINE_TYPES } from "../../contract/files";
import { appError } from "../../errors";
import { matchesEtag } from "../../lib/etag";
import { contentDisposition, nameByContent } from "../../lib/file-names";
import { fileHeaders } from "../../lib/security-headers";
import { describe } from "../../middleware/describe";
import { bytesToSend } from "../../middleware/serve-file";
import { asViewer, requireUserOrHide } from "../../middleware/session";
import type { ByteRange } from "../../ports/file-store";
import { storedAvatar } from "./stored-images";

type ServedFile = {
  fileName: string;
  mimeType: string;
  fileSize: number;
  /** Absent for a file outside an envelope. */
  envelopeId?: number;
  documentName?: string;
  /** Set while the file is in quarantine. */
  scanDueAt?: string | null;
  openedAt?: string | null;
};

/** Values of Sec-Fetch-Dest for what runs in a page or changes it. */
const CODE = /script|work|style|xslt/;

const fileQuery = z.object({ download: z.optional(z.string()) });

/** Uploaded files, for members of their workspace, and pictures of colleagues. Everybody else gets 404. */
export const fileRoutes = new Hono<AppEnv>().get(
  "/:name",
  requireUserOrHide,
  describe(
    "Download a file",
    { 200: "*/*", 206: "*/*", 304: null },
    ["file_held_back", "range_not_satisfiable"],
    { texts: ["name"], query: fileQuery },
  ),
  async (c) => {
    // A browser that asks for a script, a worker or a style must not get what somebody has uploaded.
    if (CODE.test(c.req.header("sec-fetch-dest") ?? "")) throw appError("not_found");
    const name = c.req.param("name");
    const file =
      ownAvatar(c, name) ??
      (await findSubmittedFile(c.var.deps.db, asViewer(c), name)) ??
      (await findColleaguesAvatar(c, name));
    if (!file) throw appError("not_found");
    if (file.scanDueAt) throw appError("file_held_back", { params: { document: file.documentName ?? "" } });
    return serve(c, name, file);
  },
);

function ownAvatar(c: Context<UserEnv>, name: string): ServedFile | undefined {
  const avatar = storedAvatar(c.var.user);
  return avatar?.key === name ? { fileName: "avatar", ...avatar } : undefined;
}

async function findColleaguesAvatar(c: Context<UserEnv>, name: string): Promise<ServedFile | undefined> {
  const row = await findPicture(c.var.deps.db, asViewer(c), `/uploads/${name}`);
  const avatar = row && storedAvatar(row);
  return avatar && { fileName: "avatar", ...avatar };
}

async function serve(c: Context<UserEnv>, name: string, file: ServedFile): Promise<Response> {
  const { config, files, log } = c.var.deps;
  const etag = `"${name}"`;
  const inline = c.req.query("download") === undefined && isInline(file.mimeType);
  const headers: Record<string, string> = {
    ...fileHeaders(config.transport),
    "Content-Type": file.mimeType,
    "Content-Disposition": contentDisposition(
      inline ? "inline" : "attachment",
      nameByContent(file.fileName, file.mimeType),
    ),
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

  const length = range ? range.length : file.fileSize;
  if (range)
    headers["Content-Range"] = `bytes ${range.offset}-${range.offset + range.length - 1}/${file.fileSize}`;
  const body = await bytesToSend(c, { files }, { key: name, length, range: range ?? undefined });
  log.info("downloaded", { userId: c.var.user.id, file: name });
  if (c.req.method === "GET" && !range?.offset) {
    if (c.req.query("download") !== undefined) recordDownload(c, file);
    if (file.openedAt === null && c.var.session) recordOpening(c, name);
  }
  return c.body(body, range ? 206 : 200, { ...headers, "Content-Length": String(length) });
}

/**
 * A GET that writes: it records the owner's own download. The response neither waits for the write nor fails with it.
 */
function recordDownload(c: Context<UserEnv>, { envelopeId, documentName }: ServedFile): void {
  const { db, clock, background } = c.var.deps;
  if (envelopeId === undefined || documentName === undefined) return;
  const at = clock.now().toISOString();
  const caller = asViewer(c);
  const event = { downloads: [{ envelopeId, documentName }], address: caller.address, at };
  background.run("download", () => runBatch(db, insertDownloads(db, caller, event)));
}

/** Likewise, that somebody has opened the file: not a program, which reads all of them. */
function recordOpening(c: Context<UserEnv>, name: string): void {
  const { db, clock, background } = c.var.deps;
  const openedAt = clock.now().toISOString();
  background.run("opening", () => runBatch(db, [updateOpened(db, name, openedAt)]));
}

const isInline = (mimeType: string) => INLINE_TYPES.some((type) => type === mimeType);

/**
 * The single range of a Range header (RFC 9110). Null means the whole file: there is no header, or one that may be
 * ignored. "unsatisfiable" means that the range is outside the file.
 */
function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length > 0 ? { offset: size - length, length } : "unsatisfiable";
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset < size ? { offset, length: end - offset + 1 } : "unsatisfiable";
}
