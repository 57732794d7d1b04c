import type { Api, ApiResponse, Client } from "./client";
import { linkOf } from "./envelopes";

export const CHUNK_TYPE = "application/offset+octet-stream";
export const TUS = { "Tus-Resumable": "1.0.0" };

const base64 = (text: string) => Buffer.from(text).toString("base64");

export const metadataOf = (document: number | string, fileName: string) =>
  `document ${base64(String(document))},filename ${base64(fileName)}`;

/** The calls of tus for one link, without a client library. */
export function createTus(api: Pick<Api, "anonymous">, envelope: { submissionToken: string }) {
  const client: Client = api.anonymous();
  const uploads = `${linkOf(envelope)}/uploads`;
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
    client.send(method, path, body, { ...TUS, ...headers });
  const tus = {
    client,
    uploads,
    send,
    create: (document: number, fileName: string, size: number, headers: Record<string, string> = {}) =>
      send("POST", uploads, {
        "Upload-Length": String(size),
        "Upload-Metadata": metadataOf(document, fileName),
        ...headers,
      }),
    head: (location: string) => send("HEAD", location),
    patch: (
      location: string,
      offset: number,
      bytes: Uint8Array<ArrayBuffer> | ReadableStream,
      headers: Record<string, string> = {},
    ) =>
      send(
        "PATCH",
        location,
        {
          "Content-Type": CHUNK_TYPE,
          "Upload-Offset": String(offset),
          ...(bytes instanceof ReadableStream && { "X-Test-Streamed": "yes" }),
          ...headers,
        },
        bytes,
      ),
    remove: (location: string) => send("DELETE", location),
    /** Uploads a complete file. @returns its URL */
    async upload(document: number, file: File): Promise<string> {
      const created = await tus.create(document, file.name, file.size);
      if (created.status !== 201) throw new Error(`Not created: ${created.text}`);
      const location = locationOf(created);
      const sent = await tus.patch(location, 0, await file.bytes());
      if (sent.status !== 204) throw new Error(`Not sent: ${sent.text}`);
      return location;
    },
    submit: (body: object = {}) => client.send("POST", `${linkOf(envelope)}/submit`, body),
    /** The document as the recipient sees it. */
    async document(id: number) {
      const { body } = await client.get(linkOf(envelope));
      return body.documents.find((one: { id: number }) => one.id === id);
    },
  };
  return tus;
}

export const locationOf = ({ headers }: ApiResponse) => headers.get("location") ?? "";
