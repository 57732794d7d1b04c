import { AwsClient } from "aws4fetch";
import { StoreUnavailableError } from "../../../ports/file-store";
import { codeOf } from "./s3-answers";
import type { S3Options } from "./s3-file-store";

const RETRIES = 2;

export type Query = Record<string, string | number>;
type Request = { query?: Query; body?: Uint8Array | string };

/** Signed requests to a bucket. Failures are thrown as `StoreUnavailableError`. */
export function createS3Requests({ endpoint, bucket, region, ...credentials }: S3Options) {
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: RETRIES });
  const root = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  const send = async (method: string, path: string, { query = {}, body }: Request) => {
    const url = new URL(path === "" ? root : `${root}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return client.fetch(url, { method, body: body as BodyInit }).catch((error: unknown) => {
      throw new StoreUnavailableError("The file store failed", { cause: error });
    });
  };
  return {
    async require(method: string, path: string, request: Request = {}): Promise<Response> {
      const response = await send(method, path, request);
      if (!response.ok) throw await failureOf(response);
      return response;
    },
    /** @returns null if the object or upload is missing */
    async find(method: string, path: string, request: Request = {}): Promise<Response | null> {
      const response = await send(method, path, request);
      if (response.ok) return response;
      const failure = await failureOf(response);
      if (response.status === 404) return null;
      throw failure;
    },
  };
}

async function failureOf(response: Response): Promise<StoreUnavailableError> {
  const code = codeOf(await response.text());
  return new StoreUnavailableError(`The file store answered ${response.status}: ${code}`);
}
