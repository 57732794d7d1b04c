import { AwsClient } from "aws4fetch";
import { type ResumableFileStore, StoreUnavailableError, UploadLostError } from "../../../ports/file-store";
import { createMultipartStore, type MultipartBucket } from "../../shared/multipart-uploads";
import { codeOf, entries, escapeXml, failureIn, failureOf, requireTag, tag } from "./s3-responses";

const PAGE = 500;

/**
 * Stores files in an S3-compatible store while they arrive in chunks. Bun's own S3 client cannot continue an upload
 * that an earlier request began, so requests are signed here.
 */
export function createS3ResumableStore(options: S3Options): ResumableFileStore {
  return createMultipartStore(multipartBucket(options));
}

/** The store accepts, lists and deletes files with these settings. Leaves nothing in it. @throws StoreUnavailableError */
export async function verifyS3Bucket(options: S3Options): Promise<void> {
  const bucket = multipartBucket(options);
  const path = "uploads/doctor";
  await tryUpload(options, path);
  await bucket.remove([path]);
  await bucket.get(path);
  for await (const _ of bucket.listOlderThan(path, new Date(0))) break;
}

/** The store accepts files at the path. Leaves nothing there. @throws StoreUnavailableError */
export async function tryUpload(options: S3Options, path: string): Promise<void> {
  const bucket = multipartBucket(options);
  await bucket.abort(path, await bucket.begin(path));
}

function multipartBucket(options: S3Options): MultipartBucket {
  const requests = createS3Requests(options);
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
    async put(path, bytes) {
      await (await requests.require("PUT", path, { body: bytes })).body?.cancel();
    },
    async get(path) {
      const response = await requests.find("GET", path);
      return response && new Uint8Array(await response.arrayBuffer());
    },
    async size(path) {
      const response = await requests.find("HEAD", path);
      return response && Number(response.headers.get("content-length"));
    },
    async remove(paths) {
      for (const path of paths) await (await requests.find("DELETE", path))?.body?.cancel();
    },
    async *listOlderThan(prefix, before) {
      for await (const objects of listObjects(requests, prefix))
        yield objects.filter(({ storedAt }) => storedAt < before.getTime()).map(({ path }) => path);
    },
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
type Request = { query?: Query; body?: Uint8Array | string };

/** Signed requests to a bucket. Failures are thrown as `StoreUnavailableError`. */
export function createS3Requests(options: S3Options) {
  const { endpoint, bucket, region, ...credentials } = options;
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: RETRIES });
  const root = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  const send = async (method: string, path: string, { query = {}, body }: Request) => {
    const url = new URL(path === "" ? root : `${root}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const signal = AbortSignal.timeout(body === undefined ? REQUEST_MS : PART_MS);
    return client.fetch(url, { method, body: body as BodyInit, signal }).catch((error: unknown) => {
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
      const { failure, isMissing } = await failureIn(response, method, options);
      if (isMissing) return null;
      throw failure;
    },
  };
}

type S3Requests = ReturnType<typeof createS3Requests>;

/** An object of the bucket, and how long ago it was stored by the store's own clock. */
type ListedObject = { path: string; ageMs: number; storedAt: number };

/** The objects whose paths begin with the prefix, a page at a time. */
export async function* listObjects(requests: S3Requests, prefix: string): AsyncGenerator<ListedObject[]> {
  for (let token: string | undefined; ; ) {
    const query = { "list-type": 2, prefix, "max-keys": PAGE, ...(token && { "continuation-token": token }) };
    const response = await requests.require("GET", "", { query });
    const now = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(now)) throw new StoreUnavailableError("The file store's response has no Date");
    const text = await response.text();
    yield entries(text, "Contents").map((entry) => {
      const storedAt = Date.parse(requireTag(entry, "LastModified"));
      return { path: requireTag(entry, "Key"), storedAt, ageMs: now - storedAt };
    });
    token = tag(text, "NextContinuationToken");
    if (!token) return;
  }
}
