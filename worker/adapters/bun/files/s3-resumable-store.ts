import { StoreUnavailableError } from "../../../ports/file-store";
import type { ResumableFileStore } from "../../../ports/resumable-file-store";
import { createMultipartStore, type MultipartBucket } from "../../shared/multipart-uploads";
import { codeOf, entries, escapeXml, requireTag, tag } from "./s3-answers";
import type { S3Options } from "./s3-file-store";
import { createS3Requests, type Query } from "./s3-requests";

const PAGE = 500;

/**
 * Stores files in an S3-compatible store while they arrive in chunks. Bun's own S3 client cannot continue an upload
 * that an earlier request began, so requests are signed here.
 */
export function createS3ResumableStore(options: S3Options): ResumableFileStore {
  return createMultipartStore(multipartBucket(options));
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
      const response = await requests.require("PUT", path, { query, body: bytes });
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
      const text = await (await requests.require("POST", path, { query: { uploadId }, body })).text();
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
      for (let token: string | undefined; ; ) {
        const query = {
          "list-type": 2,
          prefix,
          "max-keys": PAGE,
          ...(token && { "continuation-token": token }),
        };
        const text = await (await requests.require("GET", "", { query })).text();
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
