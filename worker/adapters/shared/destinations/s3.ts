import { AwsClient } from "aws4fetch";
import type { CreateSha256 } from "../../../ports/crypto";
import type { Destination, DestinationAccess, OutgoingFile, PutOutcome } from "../../../ports/destination";
import type { PublicFetch } from "../../../ports/public-fetch";
import { encodePath, orProblem, problem, problemOf, type Reply, send, TEST_BYTES, testName } from "./http";

const MIB = 1024 * 1024;
/** A larger file is sent in parts. */
const MAX_WHOLE = 90 * MIB;
const PART_BYTES = 16 * MIB;
const MAX_PARTS = 10_000;
/** Of the id of an upload, and of the tag of a part: all are stored until the file is there. Real ones are shorter. */
const MAX_ID = 1000;
const MAX_TAG = 200;
/** The delivery that has written an object, so that an interrupted attempt recognizes its own. */
const MARK = "x-amz-meta-doculopes";
const KEY_ENDED =
  /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|TokenRefreshRequired|AccountProblem)$/;
const FULL = /^(?:QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/;

/** In base64. */
const SHA256 = /^[A-Za-z\d+/]{43}=$/;

type Part = { etag: string; sha256: string };
/** A file that is being sent in parts. */
type Session = { key: string; uploadId: string; parts: Part[] };

/** A bucket of an S3-compatible store. Whole files appear there at once, and only under names that are free. */
export function createS3Destination(fetchPublic: PublicFetch, createSha256: CreateSha256): Destination {
  const open = (access: DestinationAccess) => openBucket(fetchPublic, access);
  return {
    check: (access) =>
      orProblem(async () => {
        const bucket = open(access);
        const key = bucket.keyOf([testName()]);
        const sha256 = createSha256();
        sha256.update(TEST_BYTES);
        await bucket.put(key, { body: TEST_BYTES, size: TEST_BYTES.length, sha256: sha256.digest() });
        const found = await bucket.find(key);
        await bucket.remove(key);
        if (found?.size !== TEST_BYTES.length)
          throw problem("refused", "It stored nothing, although it reported success");
        return { kind: "works", path: key };
      }),
    put: (access, file) => orProblem(() => put(open(access), file, createSha256)),
  };
}

async function put(bucket: Bucket, file: OutgoingFile, createSha256: CreateSha256): Promise<PutOutcome> {
  const { id, size, mimeType, sha256 } = file;
  const key = bucket.keyOf([...file.folder, file.name]);
  const isOurs = (object: Awaited<ReturnType<Bucket["find"]>>) =>
    object?.size === size && object.mark === id && (object.sha256 ?? sha256) === sha256;
  const before = await bucket.find(key);
  // An earlier attempt was interrupted after it had written the file.
  if (isOurs(before)) return { kind: "written", url: null };
  if (before) return { kind: "taken" };
  if (size > MAX_WHOLE) {
    const outcome = await putInParts(bucket, key, file, createSha256);
    if (outcome) return outcome;
  } else {
    const reply = await bucket.put(key, { body: await file.read(), size, sha256, mimeType, mark: id });
    if (reply === "taken") return { kind: "taken" };
  }
  const stored = await bucket.find(key);
  if (stored && !isOurs({ ...stored, mark: id }))
    throw problem("refused", `It stored ${stored.size} of ${size} bytes, or other ones`);
  if (!stored) throw problem("refused", "It stored nothing, although it reported success");
  return { kind: "written", url: null };
}

/** @returns undefined once all parts are joined */
async function putInParts(
  bucket: Bucket,
  key: string,
  file: OutgoingFile,
  createSha256: CreateSha256,
): Promise<PutOutcome | undefined> {
  const { id, size, mimeType } = file;
  const earlier: Session | null = file.session ? JSON.parse(file.session) : null;
  if (earlier && earlier.key !== key) await bucket.abort(earlier);
  const session: Session =
    earlier?.key === key
      ? earlier
      : { key, uploadId: await bucket.begin(key, { mimeType, mark: id }), parts: [] };
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB);
  for (let offset = session.parts.length * partBytes; offset < size; offset += partBytes) {
    if (!file.hasTime()) return { kind: "unfinished" };
    const range = { offset, length: Math.min(partBytes, size - offset) };
    const hash = createSha256();
    for await (const chunk of await file.read(range)) hash.update(chunk);
    const part = { body: await file.read(range), size: range.length, sha256: hash.digest() };
    const etag = await bucket.putPart(session, session.parts.length + 1, part);
    if (etag === null) {
      // It was discarded there meanwhile.
      await file.saveSession(null);
      throw problem("again", "The unfinished upload is gone");
    }
    session.parts.push({ etag, sha256: part.sha256 });
    await file.saveSession(JSON.stringify(session));
  }
  const outcome = await bucket.complete(session);
  await file.saveSession(null);
  return outcome === "taken" ? { kind: "taken" } : undefined;
}

type Bucket = ReturnType<typeof openBucket>;
type Content = { body: BodyInit; size: number; sha256: string; mimeType?: string; mark?: string };

function openBucket(fetchPublic: PublicFetch, { settings, credentials, signal }: DestinationAccess) {
  const { endpoint = "", bucket = "", region = "", prefix = "" } = settings;
  const { accessKeyId = "", secretAccessKey = "" } = credentials;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const root = `${endpoint.replace(/[?#].*$/, "").replace(/\/+$/, "")}/${encodePath([bucket])}/`;
  const call = async (
    method: string,
    key: string,
    {
      query = "",
      headers = {},
      body,
    }: { query?: string; headers?: Record<string, string>; body?: BodyInit } = {},
  ) => {
    const url = new URL(root + encodePath(key.split("/")) + query);
    const signed = await client.sign(url.href, { method, headers });
    return send(fetchPublic, url, { method, headers: Object.fromEntries(signed.headers), body, signal });
  };
  const sent = ({ size, sha256 }: Content) => ({
    "Content-Length": String(size),
    "X-Amz-Content-Sha256": sha256,
    "x-amz-checksum-sha256": Uint8Array.fromHex(sha256).toBase64(),
  });
  const described = ({ mimeType, mark }: Pick<Content, "mimeType" | "mark">) => ({
    "Content-Type": mimeType ?? "application/octet-stream",
    ...(mark && { [MARK]: mark }),
  });
  return {
    keyOf: (path: readonly string[]) => [...prefix.split("/").filter(Boolean), ...path].join("/"),
    /** Undefined if there is none, as far as the key may tell. */
    async find(key: string) {
      const reply = await call("HEAD", key, { headers: { "x-amz-checksum-mode": "ENABLED" } });
      // Where a key may not list the bucket, S3 answers 403 for what is not there.
      if (reply.status === 404 || reply.status === 403) return undefined;
      if (reply.status !== 200) throw s3Problem(reply);
      const checksum = reply.headers.get("x-amz-checksum-sha256");
      // That of a file in parts, which has a hyphen, is not that of the file.
      const isWhole = checksum !== null && SHA256.test(checksum);
      return {
        size: Number(reply.headers.get("content-length") ?? -1),
        mark: reply.headers.get(MARK),
        sha256: isWhole ? Uint8Array.fromBase64(checksum).toHex() : null,
      };
    },
    async put(key: string, content: Content): Promise<"written" | "taken"> {
      const headers = { ...sent(content), ...described(content), "If-None-Match": "*" };
      const reply = await call("PUT", key, { headers, body: content.body });
      if (reply.status === 412) return "taken";
      if (reply.status !== 200 || !reply.headers.has("etag")) throw s3Problem(reply);
      return "written";
    },
    async begin(key: string, content: Pick<Content, "mimeType" | "mark">): Promise<string> {
      const headers = { ...described(content), "x-amz-checksum-algorithm": "SHA256" };
      const reply = await call("POST", key, { query: "?uploads=", headers });
      const uploadId = tag(reply.text, "UploadId");
      if (reply.status !== 200 || !uploadId || uploadId.length > MAX_ID) throw s3Problem(reply);
      return uploadId;
    },
    /** @returns its tag; null if the upload is gone */
    async putPart({ key, uploadId }: Session, number: number, content: Content): Promise<string | null> {
      const query = `?partNumber=${number}&uploadId=${encodeURIComponent(uploadId)}`;
      const reply = await call("PUT", key, { query, headers: sent(content), body: content.body });
      if (reply.status === 404 && tag(reply.text, "Code") === "NoSuchUpload") return null;
      const etag = reply.headers.get("etag");
      if (reply.status !== 200 || !etag || etag.length > MAX_TAG) throw s3Problem(reply);
      return etag;
    },
    async complete({ key, uploadId, parts }: Session): Promise<"written" | "taken"> {
      const listed = parts.map(
        ({ etag, sha256 }, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag><ChecksumSHA256>${Uint8Array.fromHex(sha256).toBase64()}</ChecksumSHA256></Part>`,
      );
      const body = `<CompleteMultipartUpload>${listed.join("")}</CompleteMultipartUpload>`;
      const query = `?uploadId=${encodeURIComponent(uploadId)}`;
      const reply = await call("POST", key, { query, headers: { "If-None-Match": "*" }, body });
      if (reply.status === 412) return "taken";
      // S3 reports a failed completion in the body of a response with status 200.
      if (reply.status !== 200 || reply.text.includes("<Error>")) throw s3Problem(reply);
      return "written";
    },
    async abort({ key, uploadId }: Session) {
      await call("DELETE", key, { query: `?uploadId=${encodeURIComponent(uploadId)}` });
    },
    async remove(key: string) {
      const reply = await call("DELETE", key);
      if (reply.status !== 204 && reply.status !== 200) throw s3Problem(reply);
    },
  };
}

const tag = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];

/** S3 says in its body what a status means. */
function s3Problem(reply: Reply) {
  const code = tag(reply.text, "Code") ?? "";
  const message = `${reply.status} ${code} ${tag(reply.text, "Message") ?? ""}`.trim();
  if (KEY_ENDED.test(code)) return problem("reconnect", message);
  if (FULL.test(code)) return problem("full", message);
  if (code === "NoSuchBucket") return problem("missing", message);
  // A body of a failed completion with status 200, or one of another server.
  return problemOf({
    ...reply,
    status: reply.status === 200 ? (code ? 500 : 400) : reply.status,
    text: message,
  });
}
