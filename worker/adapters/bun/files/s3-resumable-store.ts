import { AwsClient } from "aws4fetch";
import { StoreUnavailableError } from "../../../ports/file-store";
import type { ResumableFileStore } from "../../../ports/resumable-file-store";
import { createMultipartStore, type MultipartBucket } from "../../shared/multipart-uploads";
import type { S3Options } from "./s3-file-store";

const PAGE = 500;
const RETRIES = 2;

/**
 * Stores files in an S3-compatible store while they arrive in chunks. Bun's own S3 client cannot continue an upload
 * that an earlier request began, so requests are signed here.
 */
export function createS3ResumableStore(options: S3Options): ResumableFileStore {
  return createMultipartStore(multipartBucket(options));
}

type Query = Record<string, string | number>;
type Call = { query?: Query; body?: Uint8Array | string; missing?: "allowed" };

function multipartBucket({ endpoint, bucket, region, ...credentials }: S3Options): MultipartBucket {
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: RETRIES });
  const root = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  /** @returns null if the object or upload is missing and `missing` is "allowed" */
  const call = async (method: string, path: string, { query = {}, body, missing }: Call = {}) => {
    const url = new URL(path === "" ? root : `${root}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await client.fetch(url, { method, body: body as BodyInit }).catch((error: unknown) => {
      throw new StoreUnavailableError("The file store failed", { cause: error });
    });
    if (response.ok) return response;
    const text = await response.text();
    if (missing && response.status === 404) return null;
    throw new StoreUnavailableError(`The file store answered ${response.status}: ${codeOf(text)}`);
  };
  const required = async (method: string, path: string, options: Omit<Call, "missing">) => {
    const response = await call(method, path, options);
    if (!response) throw new StoreUnavailableError("The file store answered 404");
    return response;
  };

  return {
    async begin(path) {
      const text = await (await required("POST", path, { query: { uploads: "" } })).text();
      return requireTag(text, "UploadId");
    },
    async putPart(path, uploadId, number, bytes) {
      const query = { partNumber: number, uploadId };
      const response = await required("PUT", path, { query, body: bytes });
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
      const text = await (await required("POST", path, { query: { uploadId }, body })).text();
      // S3 reports a failed completion in the body of a response with status 200.
      if (text.includes("<Error>")) throw new StoreUnavailableError(`Parts not joined: ${codeOf(text)}`);
    },
    async abort(path, uploadId) {
      await (await call("DELETE", path, { query: { uploadId }, missing: "allowed" }))?.body?.cancel();
    },
    async put(path, bytes) {
      await (await required("PUT", path, { body: bytes })).body?.cancel();
    },
    async get(path) {
      const response = await call("GET", path, { missing: "allowed" });
      return response && new Uint8Array(await response.arrayBuffer());
    },
    async size(path) {
      const response = await call("HEAD", path, { missing: "allowed" });
      return response && Number(response.headers.get("content-length"));
    },
    async remove(paths) {
      for (const path of paths) await (await call("DELETE", path, { missing: "allowed" }))?.body?.cancel();
    },
    async *listOlderThan(prefix, before) {
      for (let token: string | undefined; ; ) {
        const query = {
          "list-type": 2,
          prefix,
          "max-keys": PAGE,
          ...(token && { "continuation-token": token }),
        };
        const text = await (await required("GET", "", { query })).text();
        yield entries(text, "Contents")
          .filter((entry) => Date.parse(requireTag(entry, "LastModified")) < before.getTime())
          .map((entry) => requireTag(entry, "Key"));
        token = tag(text, "NextContinuationToken");
        if (!token) return;
      }
    },
    async *listUploads(prefix, before) {
      for (let marker: Query = {}; ; ) {
        const query = { uploads: "", prefix, "max-uploads": PAGE, ...marker };
        const text = await (await required("GET", "", { query })).text();
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

const entries = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, entry = ""]) => entry);

const tag = (xml: string, name: string) => entries(xml, name)[0];

function requireTag(xml: string, name: string): string {
  const value = tag(xml, name);
  if (value === undefined) throw new StoreUnavailableError(`The file store's answer has no ${name}`);
  return value;
}

const codeOf = (xml: string) => tag(xml, "Code") ?? "no code";
const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
