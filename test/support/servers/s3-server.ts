import { createHash } from "node:crypto";
import { type Credentials, isSigned } from "./s3-signature";

const MIN_PART = 5 * 1024 * 1024;

type Stored = { bytes: Uint8Array<ArrayBuffer>; modified: Date; meta?: Record<string, string> };
type Upload = {
  key: string;
  parts: Map<number, Uint8Array<ArrayBuffer>>;
  initiated: Date;
  meta?: Record<string, string>;
};

export type S3Server = {
  endpoint: string;
  objects: Map<string, Stored>;
  /** Multipart uploads that were started and neither completed nor aborted. */
  uploads: Map<string, Upload>;
  /** If set, every request is answered with this status and does nothing. */
  failWith: number | null;
  /** Runs after an object was stored and before the answer. */
  afterPut?: () => Promise<void>;
  stop(): Promise<void>;
};

/**
 * A small S3: checks signatures, follows S3's rules for multipart uploads (parts of at least 5 MiB except the last,
 * each named with its tag on completion), and pages its lists.
 */
export function startS3Server(bucket: string, credentials: Credentials): S3Server {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      if (s3.failWith) return failure(s3.failWith, "InternalError");
      if (!isSigned(request, credentials)) return failure(403, "SignatureDoesNotMatch");
      const url = new URL(request.url);
      const [, givenBucket, ...rest] = decodeURIComponent(url.pathname).split("/");
      if (givenBucket !== bucket) return failure(404, "NoSuchBucket");
      const key = rest.join("/");
      const uploadId = url.searchParams.get("uploadId");
      if (key === "") return url.searchParams.has("uploads") ? listUploads(s3) : list(s3, url.searchParams);
      if (uploadId || url.searchParams.has("uploads")) return inParts(s3, request, key, uploadId);
      return whole(s3, request, key);
    },
  });
  const s3: S3Server = {
    endpoint: `http://127.0.0.1:${server.port}`,
    objects: new Map(),
    uploads: new Map(),
    failWith: null,
    stop: () => server.stop(true),
  };
  return s3;
}

async function whole(s3: S3Server, request: Request, key: string): Promise<Response> {
  if (request.method === "PUT") {
    const bytes = await request.bytes();
    if (!hasHash(request, bytes)) return failure(400, "XAmzContentSHA256Mismatch");
    if (isTaken(s3, request, key)) return failure(412, "PreconditionFailed");
    s3.objects.set(key, { bytes, modified: new Date(), meta: metaOf(request) });
    await s3.afterPut?.();
    return new Response(null, { headers: { ETag: '"whole"' } });
  }
  if (request.method === "DELETE") {
    s3.objects.delete(key);
    return new Response(null, { status: 204 });
  }
  const found = s3.objects.get(key);
  if (!found) return failure(404, "NoSuchKey");
  if (request.method === "HEAD")
    return new Response(null, {
      headers: {
        "Content-Length": String(found.bytes.length),
        "Last-Modified": found.modified.toUTCString(),
        Date: new Date().toUTCString(),
        ...found.meta,
      },
    });
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (first === undefined) return new Response(found.bytes);
  if (Number(first) >= found.bytes.length) return failure(416, "InvalidRange");
  const part = found.bytes.slice(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${found.bytes.length}`;
  return new Response(part, { status: 206, headers: { "Content-Range": range } });
}

async function inParts(s3: S3Server, request: Request, key: string, uploadId: string | null) {
  if (!uploadId) {
    const id = crypto.randomUUID();
    s3.uploads.set(id, { key, parts: new Map(), initiated: new Date(), meta: metaOf(request) });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const parts = s3.uploads.get(uploadId)?.parts;
  if (!parts) return failure(404, "NoSuchUpload");
  if (request.method === "DELETE") {
    s3.uploads.delete(uploadId);
    return new Response(null, { status: 204 });
  }
  if (request.method === "PUT") {
    const number = Number(new URL(request.url).searchParams.get("partNumber"));
    const bytes = await request.bytes();
    if (!hasHash(request, bytes)) return failure(400, "XAmzContentSHA256Mismatch");
    parts.set(number, bytes);
    return new Response(null, { headers: { ETag: `"part-${number}"` } });
  }
  const named = [
    ...(await request.text()).matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(.*?)<\/ETag>/g),
  ];
  const chosen = named.map(([, number, tag]) => {
    const right = tag?.replaceAll("&quot;", '"') === `"part-${number}"`;
    return right ? parts.get(Number(number)) : undefined;
  });
  const complete = chosen.filter((part) => part !== undefined);
  if (complete.length === 0 || complete.length !== named.length) return failure(400, "InvalidPart");
  if (complete.slice(0, -1).some((part) => part.length < MIN_PART)) return failure(400, "EntityTooSmall");
  if (isTaken(s3, request, key)) return failure(412, "PreconditionFailed");
  const { meta = {} } = s3.uploads.get(uploadId) ?? {};
  s3.objects.set(key, { bytes: await new Blob(complete).bytes(), modified: new Date(), meta });
  s3.uploads.delete(uploadId);
  return xml('<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>');
}

const isTaken = (s3: S3Server, { headers }: Request, key: string) =>
  headers.get("if-none-match") === "*" && s3.objects.has(key);

/** Whether the bytes are those that were signed, unless they were not. */
function hasHash({ headers }: Request, bytes: Uint8Array): boolean {
  const signed = headers.get("x-amz-content-sha256") ?? "";
  return !/^[\da-f]{64}$/.test(signed) || createHash("sha256").update(bytes).digest("hex") === signed;
}

const metaOf = ({ headers }: Request) =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("x-amz-meta-") || name === "x-amz-checksum-sha256"),
  );

function list(s3: S3Server, query: URLSearchParams): Response {
  const after = query.get("continuation-token") ?? "";
  const size = Number(query.get("max-keys") ?? 1000);
  const keys = [...s3.objects.keys()].sort();
  const rest = keys.filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after);
  const page = rest.slice(0, size);
  const more = rest.length > page.length;
  const contents = page.map((key) => {
    // S3 rounds to seconds, as HTTP does in a Date header.
    const modified = s3.objects
      .get(key)
      ?.modified.toISOString()
      .replace(/\.\d+Z$/, ".000Z");
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
  });
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return xml(
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

function listUploads(s3: S3Server): Response {
  const uploads = [...s3.uploads].map(
    ([id, { key, initiated }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join("")}</ListMultipartUploadsResult>`,
  );
}

const xml = (body: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    // Bun's own date is up to a second late.
    headers: { "Content-Type": "application/xml", Date: new Date().toUTCString() },
  });

const failure = (status: number, code: string) => xml(`<Error><Code>${code}</Code></Error>`, status);
