import { AwsClient } from "aws4fetch";
import { createWorkQueue } from "../../../lib/work-queue";
import { type ByteRange, StoreUnavailableError, UploadLostError } from "../../../ports/file-store";
import { FILES, type ObjectBucket } from "../../shared/multipart-uploads";
import { codeOf, entries, escapeXml, failureIn, failureOf, requireTag, tag } from "./s3-responses";

const PAGE = 500;
/** Files are read in parts of this size: whoever takes one slowly, or not at all, keeps so much memory and no connection. */
export const READ_BYTES = 512 * 1024;
/**
 * The parts that are read at once, in turns of files. Bun has 256 connections for all calls to others: uploads, mails and
 * webhooks do not wait for what is read.
 */
const READS = {
  running: 64,
  ...{ waiting: Number.POSITIVE_INFINITY, waitingPerLane: Number.POSITIVE_INFINITY, retryAfterSeconds: 10 },
};

/** The store accepts, lists and deletes files with these settings. Leaves nothing in it. @throws StoreUnavailableError */
export async function verifyS3Bucket(options: S3Options): Promise<void> {
  const bucket = s3Bucket(options);
  const path = `${FILES}doctor`;
  await bucket.abort(path, await bucket.begin(path));
  await bucket.remove([path]);
  await bucket.get(path);
  for await (const _ of bucket.list(path)) break;
}

/**
 * A bucket of an S3-compatible store. Bun's own S3 client cannot continue an upload that an earlier request began, so
 * requests are signed here.
 */
export function s3Bucket(options: S3Options): ObjectBucket {
  const requests = createS3Requests(options);
  const reads = createWorkQueue(READS);
  const head = async (path: string) => {
    const response = await requests.find("HEAD", path);
    if (!response) return null;
    const { headers } = response;
    return { size: Number(headers.get("content-length")), ...timesOf(headers.get("last-modified"), headers) };
  };
  return {
    async begin(path) {
      const text = await (await requests.require("POST", path, { query: { uploads: "" } })).text();
      return requireTag(text, "UploadId");
    },
    async putPart(path, uploadId, number, bytes) {
      const query = { partNumber: number, uploadId };
      const response = await requests.find("PUT", path, { query, body: bytes });
      if (!response) throw lost();
      const tag = response.headers.get("etag");
      await response.body?.cancel();
      if (!tag) throw new StoreUnavailableError("The file store returned no ETag for a part");
      return tag;
    },
    async complete(path, uploadId, tags) {
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      const response = await requests.find("POST", path, { query: { uploadId }, body });
      if (!response) throw lost();
      const text = await response.text();
      // S3 reports a failed completion in the body of a response with status 200.
      if (text.includes("<Error>")) throw new StoreUnavailableError(`Parts not joined: ${codeOf(text)}`);
    },
    async abort(path, uploadId) {
      await (await requests.find("DELETE", path, { query: { uploadId } }))?.body?.cancel();
    },
    // Not every store knows conditional writes.
    async put(path, bytes, { onlyNew = false } = {}) {
      if (onlyNew && (await head(path))) return;
      await (await requests.require("PUT", path, { body: bytes })).body?.cancel();
    },
    async get(path, range) {
      const response = await requests.find("GET", path, { range });
      return response && new Uint8Array(await response.arrayBuffer());
    },
    async read(path, { offset, length } = { offset: 0, length: Number.POSITIVE_INFINITY }) {
      const readAt = (at: number) =>
        reads.run([path], async () => {
          const range = { offset: at, length: Math.min(offset + length - at, READ_BYTES) };
          const response = await requests.find("GET", path, { range });
          const size = Number(/\/(\d+)$/.exec(response?.headers.get("content-range") ?? "")?.[1]);
          return response && { response, size, bytes: size ? await response.bytes() : undefined };
        });
      const first = await readAt(offset);
      // A server that knows no ranges sends all of it.
      if (!first?.size) return first?.response.body ?? null;
      const end = Math.min(offset + length, first.size);
      let bytes: Uint8Array | undefined = first.bytes;
      let at = offset;
      const parts: UnderlyingDefaultSource<Uint8Array> = {
        async pull(controller) {
          bytes ??= (await readAt(at))?.bytes;
          if (!bytes?.length) throw new StoreUnavailableError("The file is not whole in the file store");
          at += bytes.length;
          controller.enqueue(bytes);
          bytes = undefined;
          if (at >= end) controller.close();
        },
      };
      return new ReadableStream(parts, { highWaterMark: 0 });
    },
    head,
    async remove(paths) {
      for (const path of paths) await (await requests.find("DELETE", path))?.body?.cancel();
    },
    list: (prefix) => listObjects(requests, prefix),
    async *listUploads(prefix, before) {
      for (let marker: Query = {}; ; ) {
        const query = { uploads: "", prefix, "max-uploads": PAGE, ...marker };
        const text = await (await requests.require("GET", "", { query })).text();
        yield entries(text, "Upload")
          .filter((entry) => Date.parse(requireTag(entry, "Initiated")) < before.getTime())
          .map((entry) => ({ path: requireTag(entry, "Key"), uploadId: requireTag(entry, "UploadId") }));
        if (tag(text, "IsTruncated") !== "true") return;
        marker = {
          "key-marker": requireTag(text, "NextKeyMarker"),
          "upload-id-marker": requireTag(text, "NextUploadIdMarker"),
        };
      }
    },
  };
}

const lost = () => new UploadLostError("The file store has aborted the upload");

const RETRIES = 2;
/** A request with all its attempts: a store that does not answer must not stop the jobs. */
const REQUEST_MS = 60_000;
/** The same with a part of a file, over a slow connection. */
const PART_MS = 10 * 60_000;

export type S3Options = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region?: string;
};

type Query = Record<string, string | number>;
type Request = {
  query?: Query;
  body?: Uint8Array | string;
  range?: ByteRange | undefined;
};

/** Signed requests to a bucket. Failures are thrown as `StoreUnavailableError`. */
function createS3Requests(options: S3Options) {
  const { endpoint, bucket, region, ...credentials } = options;
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: RETRIES });
  const root = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  const send = async (method: string, path: string, { query = {}, body, range }: Request) => {
    const url = new URL(path === "" ? root : `${root}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const headers = range ? { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : undefined;
    const signal = AbortSignal.timeout(body === undefined ? REQUEST_MS : PART_MS);
    return client.fetch(url, { method, headers, body: body as BodyInit, signal }).catch((error: unknown) => {
      throw failureOf(error, options);
    });
  };
  return {
    async require(method: string, path: string, request: Request = {}): Promise<Response> {
      const response = await send(method, path, request);
      if (response.ok) return response;
      throw (await failureIn(response, method, options)).failure;
    },
    /** @returns null if the object or upload is missing */
    async find(method: string, path: string, request: Request = {}): Promise<Response | null> {
      const response = await send(method, path, request);
      if (response.ok) return response;
      // No byte is in the range: the file is empty.
      if (response.status === 416) return new Response(new Blob());
      const { failure, isMissing } = await failureIn(response, method, options);
      if (isMissing) return null;
      throw failure;
    },
  };
}

type S3Requests = ReturnType<typeof createS3Requests>;

async function* listObjects(requests: S3Requests, prefix: string) {
  for (let token: string | undefined; ; ) {
    const query = { "list-type": 2, prefix, "max-keys": PAGE, ...(token && { "continuation-token": token }) };
    const response = await requests.require("GET", "", { query });
    const text = await response.text();
    yield entries(text, "Contents").map((entry) => ({
      path: requireTag(entry, "Key"),
      ...timesOf(requireTag(entry, "LastModified"), response.headers),
    }));
    token = tag(text, "NextContinuationToken");
    if (!token) return;
  }
}

/** When an object was stored, and how long ago by the store's own clock. */
function timesOf(modified: string | null, headers: Headers) {
  const [storedAt, now] = [Date.parse(modified ?? ""), Date.parse(headers.get("date") ?? "")];
  if (Number.isNaN(now)) throw new StoreUnavailableError("The file store's response has no Date");
  return { storedAt, ageMs: now - storedAt };
}
