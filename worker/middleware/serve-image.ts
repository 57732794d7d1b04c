import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";
import { matchesEtag } from "../lib/etag";
import { fileHeaders } from "../lib/security-headers";
import { hashToken } from "../lib/tokens";

type Deps = AppEnv["Variables"]["deps"];

/** Serves a picture or logo without its key, which recipients must not see. @throws AppError `not_found` */
export async function serveImage(
  c: Context,
  { config, files }: Pick<Deps, "config" | "files">,
  image: { key: string; mimeType: string; fileSize: number } | undefined,
): Promise<Response> {
  if (!image) throw appError("not_found");
  const etag = `"${await hashToken(image.key)}"`;
  const headers = { ...fileHeaders(config.transport), "Content-Type": image.mimeType, ETag: etag };
  if (matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  const body = await files.read(image.key);
  if (!body) throw appError("not_found");
  return c.body(body, 200, { ...headers, "Content-Length": String(image.fileSize) });
}
