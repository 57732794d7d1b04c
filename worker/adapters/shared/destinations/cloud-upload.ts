import type { OutgoingFile } from "../../../ports/destination";
import type { CloudClient } from "./cloud-client";
import { problem, TEST_BYTES, testName } from "./http";

/** What an upload's address says: how much it has, that it has all, that it is gone, or that the name is taken. */
export type UploadState<Item> =
  | { kind: "at"; offset: number }
  | { kind: "complete"; item: Item }
  | { kind: "gone" }
  | { kind: "taken" };

/** What an attempt stores for the next one: the upload under this name. */
export type UploadSession = { name: string; id?: string; url?: string };

export const nothingStored = () =>
  problem("again", "It reported success, but the file is not there, or not whole");

/** What an earlier attempt under the same name has stored. */
export function readSession({ session, name }: OutgoingFile): UploadSession | undefined {
  const stored: UploadSession | undefined = session === null ? undefined : JSON.parse(session);
  return stored?.name === name ? stored : undefined;
}

export const saveSession = (file: OutgoingFile, session: UploadSession): Promise<void> =>
  file.saveSession(JSON.stringify(session));

/** Sends the bytes from the offset on, a chunk after the other. @returns undefined if there is no time for the rest */
export async function sendChunks<Item>(
  client: CloudClient,
  file: OutgoingFile,
  { url, offset, chunkBytes, read }: UploadSteps<Item>,
): Promise<Exclude<UploadState<Item>, { kind: "at" }> | undefined> {
  for (let at = offset; file.hasTime(); ) {
    const length = Math.min(chunkBytes, file.size - at);
    const response = await client.upload(url, {
      method: "PUT",
      headers: {
        "Content-Length": String(length),
        "Content-Range": `bytes ${at}-${at + length - 1}/${file.size}`,
      },
      body: await file.read({ offset: at, length }),
    });
    const state = await read(response);
    if (state.kind !== "at") return state;
    if (state.offset <= at || state.offset >= file.size) throw nothingStored();
    at = state.offset;
  }
  return undefined;
}

type UploadSteps<Item> = {
  url: string;
  offset: number;
  chunkBytes: number;
  read(response: Response): Promise<UploadState<Item>>;
};

/** The small file that shows whether files can be written. */
export async function testFile(): Promise<OutgoingFile> {
  const digest = await crypto.subtle.digest("SHA-256", TEST_BYTES);
  return {
    ...{ id: "", folder: [], name: testName(), size: TEST_BYTES.length, mimeType: "text/plain" },
    ...{ sha256: new Uint8Array(digest).toHex(), startedAt: "", session: null },
    saveSession: async () => {},
    hasTime: () => true,
    // Of a Response, because it has a length on Workers.
    read: async () => new Response(TEST_BYTES).body as ReadableStream<Uint8Array>,
  };
}
