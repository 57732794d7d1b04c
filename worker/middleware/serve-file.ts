import type { Context } from "hono";
import type { AppEnv } from "../app-env";
import { appError, required } from "../errors";
import { matchesEtag } from "../lib/etag";
import { contentDisposition, nameByContent } from "../lib/file-names";
import { fileHeaders } from "../lib/security-headers";
import { streamOf } from "../lib/streams";
import { hashToken } from "../lib/tokens";
import type { ByteRange } from "../ports/file-store";

type Stores = Pick<AppEnv["Variables"]["deps"], "config" | "files">;
type Served = { key: string; mimeType: string; fileSize: number };

const RETRY_SECONDS = 10;

/**
 * The bytes of a stored file, or of a range of it, as the body of a response.
 * @throws AppError `not_found`; `rate_limited` while the client takes none of too many files
 */
export async function bytesToSend(
  c: Context,
  { files }: Pick<Stores, "files">,
  { key, length, range }: { key: string; length: number; range?: ByteRange | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const body = () => required(files.read(key, range, { toSend: true }), "not_found");
  const { countFile }: AppEnv["Bindings"] = c.env;
  // Nobody reads the body of a response to HEAD.
  const end = c.req.method === "HEAD" ? undefined : countFile?.(length);
  if (end === null) throw appError("rate_limited", { retryAfterSeconds: RETRY_SECONDS });
  if (!end) return body();
  try {
    const reader = (await body()).getReader();
    return streamOf({ read: () => reader.read(), cancel: (reason) => reader.cancel(reason), end });
  } catch (error) {
    end();
    throw error;
  }
}

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
  const body = await bytesToSend(c, { files }, { key: image.key, length: image.fileSize });
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
