import type { Context } from "hono";
import type { StoredBrand } from "../../db/queries/brands";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";
import { storedLogo } from "../features/files/stored-logo";
import { matchesEtag } from "../lib/etag";
import { fileHeaders } from "../lib/security-headers";
import { hashToken } from "../lib/tokens";

type Deps = AppEnv["Variables"]["deps"];

/** @throws AppError `not_found` */
export async function serveLogo(
  c: Context,
  { config, files }: Pick<Deps, "config" | "files">,
  brand: StoredBrand | undefined,
): Promise<Response> {
  const logo = storedLogo(brand);
  if (!logo) throw appError("not_found");
  // Recipients must not see the key.
  const etag = `"${await hashToken(logo.key)}"`;
  const headers = { ...fileHeaders(config.transport), "Content-Type": logo.mimeType, ETag: etag };
  if (matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  const body = await files.read(logo.key);
  if (!body) throw appError("not_found");
  return c.body(body, 200, { ...headers, "Content-Length": String(logo.fileSize) });
}
