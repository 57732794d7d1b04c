import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import { appError, required } from "../errors";
import { matchesEtag } from "../lib/etag";
import { contentDisposition, nameByContent } from "../lib/file-names";
import { fileHeaders } from "../lib/security-headers";
import { hashToken } from "../lib/tokens";

type Stores = Pick<AppEnv["Variables"]["deps"], "config" | "files">;
type Served = { key: string; mimeType: string; fileSize: number };

/** Serves a picture or logo without its key, which recipients must not see. @throws AppError `not_found` */
export async function serveImage(
  c: Context,
  { config, files }: Stores,
  image: Served | undefined,
  more: Record<string, string> = {},
): Promise<Response> {
  if (!image) throw appError("not_found");
  const etag = `"${await hashToken(image.key)}"`;
  const headers = { ...fileHeaders(config.transport), "Content-Type": image.mimeType, ETag: etag, ...more };
  if (matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  const body = await required(files.read(image.key, undefined, { toSend: true }), "not_found");
  return c.body(body, 200, { ...headers, "Content-Length": String(image.fileSize) });
}

/** The same for a file that is saved and not shown. */
export const serveDownload = (
  c: Context,
  stores: Stores,
  { filePath, fileName, ...file }: Omit<Served, "key"> & { filePath: string; fileName: string },
): Promise<Response> =>
  serveImage(
    c,
    stores,
    { ...file, key: filePath },
    {
      "Content-Disposition": contentDisposition("attachment", nameByContent(fileName, file.mimeType)),
    },
  );
