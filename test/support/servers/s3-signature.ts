import { createHash, createHmac } from "node:crypto";

const ALGORITHM = "AWS4-HMAC-SHA256";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

export type Credentials = { accessKeyId: string; secretAccessKey: string };

/** Whether the request is signed with the credentials, in its headers or in its URL (AWS Signature 4). */
export function isSigned(request: Request, { accessKeyId, secretAccessKey }: Credentials): boolean {
  const url = new URL(request.url);
  const claim = url.searchParams.has("X-Amz-Signature") ? presigned(url) : inHeaders(request);
  if (!claim) return false;
  const [keyId, day = "", region = "", service = "", last = ""] = claim.credential.split("/");
  const pairs = [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const canonical = [
    request.method,
    url.pathname,
    pairs
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...claim.signedHeaders.map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payload,
  ].join("\n");
  const scope = [day, region, service, last].join("/");
  const toSign = [ALGORITHM, claim.time, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, last].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return keyId === accessKeyId && hmac(key, toSign).toString("hex") === claim.signature;
}

function presigned({ searchParams }: URL) {
  const get = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
  return {
    credential: get("Credential"),
    signedHeaders: get("SignedHeaders").split(";"),
    signature: get("Signature"),
    time: get("Date"),
    payload: "UNSIGNED-PAYLOAD",
  };
}

function inHeaders({ headers }: Request) {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, credential, signedHeaders, signature] = pattern.exec(headers.get("authorization") ?? "") ?? [];
  if (!credential || !signedHeaders || !signature) return null;
  return {
    credential,
    signedHeaders: signedHeaders.split(";"),
    signature,
    time: headers.get("x-amz-date") ?? "",
    payload: headers.get("x-amz-content-sha256") ?? "",
  };
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
