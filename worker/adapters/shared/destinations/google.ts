import { providerAddress } from "../../../lib/sign-in-providers";
import type { Destination, DestinationAccess, OutgoingFile } from "../../../ports/destination";
import { bodyOf, type CloudClient, type CloudOptions, createCloudClient, failureOf } from "./cloud-client";
import {
  nothingStored,
  readSession,
  saveSession,
  sendChunks,
  testFile,
  type UploadSession,
  type UploadState,
} from "./cloud-upload";
import { orProblem } from "./http";

const DRIVE = "https://www.googleapis.com/drive/v3";
const FILES = `${DRIVE}/files`;
const REVOCATION = "https://oauth2.googleapis.com/revoke";
const REVOCATION_MS = 5000;
const ACCOUNT = "user(displayName,emailAddress)";
const UPLOADS = "https://www.googleapis.com/upload/drive/v3/files";
/** A multiple of 256 KiB, as Drive demands. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const FOLDERS_PAGE = 200;
const FOLDER = "application/vnd.google-apps.folder";
const ALL_DRIVES = { supportsAllDrives: "true" };
const LISTED = { ...ALL_DRIVES, includeItemsFromAllDrives: "true" };
const FILE_ID = /^[\w-]+$/;

type Item = {
  id: string;
  name: string;
  size?: string;
  sha256Checksum?: string;
  webViewLink?: string;
  trashed?: boolean;
};
type Written = { kind: "written"; id: string; url: string | null };

/** Google Drive. The ids of files and folders are fetched and stored before they are made, so that each is made once. */
export function createGoogleDestination(options: CloudOptions): Destination {
  const driveOf = (access: DestinationAccess) => new Drive(createCloudClient(access, options), access);
  return {
    check: (access) => orProblem(() => driveOf(access).check()),
    put: (access, file) => orProblem(() => driveOf(access).put(file)),
    folders: (access, query) => orProblem(() => listFolders(createCloudClient(access, options), query)),
    account: (access) => orProblem(() => accountOf(createCloudClient(access, options))),
    revoke: ({ credentials: { refreshToken = "" } }) => revoke(refreshToken, options.providerUrl),
  };
}

const withQuery = (address: string, query: Record<string, string>) =>
  `${address}?${new URLSearchParams(query)}`;
const fileUrl = (id: string, query: Record<string, string> = {}) =>
  withQuery(`${FILES}/${id}`, { ...ALL_DRIVES, ...query });
/** A text in a search. */
const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

class Drive {
  readonly #client: CloudClient;
  readonly #access: DestinationAccess;

  constructor(client: CloudClient, access: DestinationAccess) {
    this.#client = client;
    this.#access = access;
  }

  async check() {
    const file = await testFile();
    const outcome = await this.put(file);
    if (outcome.kind !== "written") throw nothingStored();
    const removed = await this.#client.call(fileUrl(outcome.id), { method: "DELETE" });
    if (!removed.ok) throw await failureOf(removed);
    return { kind: "works" as const, path: `${this.#access.settings.folderName}/${file.name}` };
  }

  put = (file: OutgoingFile) => this.#upload(file, readSession(file));

  /** The id of the folder of this path, made if needed. */
  async #folderId(path: readonly string[]): Promise<string> {
    const { folderIds } = this.#access;
    const name = path.at(-1);
    if (name === undefined) return "root";
    const key = path.join("/");
    const known = await folderIds.find(key);
    if (known !== undefined && (await this.#isThere(known))) return known;
    const parent = await this.#folderId(path.slice(0, -1));
    const id = known === undefined ? await folderIds.save(key, await this.#newId()) : known;
    if (await this.#makeFolder(id, name, parent)) return id;
    // It was removed there, for good or into the bin.
    await folderIds.forget(key);
    const another = await folderIds.save(key, await this.#newId());
    if (await this.#makeFolder(another, name, parent)) return another;
    throw nothingStored();
  }

  /** @returns whether the folder with this id is there, made by this call or by another process */
  async #makeFolder(id: string, name: string, parent: string): Promise<boolean> {
    const folder = { id, name, mimeType: FOLDER, parents: [parent] };
    const response = await this.#client.post(withQuery(FILES, ALL_DRIVES), folder);
    if (response.ok) return true;
    if (response.status !== 409) throw await failureOf(response);
    await response.body?.cancel();
    return this.#isThere(id);
  }

  async #isThere(id: string): Promise<boolean> {
    const item = await this.#find(id, "id,trashed");
    return item !== undefined && !item.trashed;
  }

  async #find(id: string, fields: string): Promise<Item | undefined> {
    const response = await this.#client.call(fileUrl(id, { fields }));
    if (response.status !== 404) return bodyOf(response);
    await response.body?.cancel();
    return undefined;
  }

  async #newId(): Promise<string> {
    const { ids } = await this.#client.json(
      withQuery(`${FILES}/generateIds`, { count: "1", space: "drive", type: "files" }),
    );
    return ids[0];
  }

  /** Continues the upload of an earlier attempt, or begins one. */
  async #upload(
    file: OutgoingFile,
    session: UploadSession | undefined,
    restarted = false,
  ): Promise<Written | { kind: "taken" | "unfinished" }> {
    const { name } = file;
    let { id = "", url = "" } = session ?? {};
    const known: UploadState<Item> = url ? await this.#stateOf(url, file) : { kind: "gone" };
    if (known.kind === "complete") return this.#findEarlier(file, id, restarted);
    let offset = 0;
    if (known.kind === "at") offset = known.offset;
    else {
      const folder = await this.#folderId([this.#access.settings.folderName ?? "", ...file.folder]);
      if (!id) {
        if (await this.#isTaken(folder, name)) return { kind: "taken" };
        id = await this.#newId();
        await saveSession(file, { name, id });
      }
      const begun = await this.#begin(file, id, folder);
      if (begun === null) return this.#findEarlier(file, id, restarted);
      url = begun;
      await saveSession(file, { name, id, url });
    }
    const steps = { url, offset, chunkBytes: CHUNK_BYTES, read: readState };
    const end = await sendChunks(this.#client, file, steps);
    if (!end) return { kind: "unfinished" };
    if (end.kind !== "gone") return this.#confirm(file, id);
    if (restarted) throw nothingStored();
    return this.#upload(file, { name, id }, true);
  }

  /** Drive would store two files with one name. */
  async #isTaken(folder: string, name: string): Promise<boolean> {
    const q = `${quoted(folder)} in parents and name = ${quoted(name)} and trashed = false`;
    const { files } = await this.#client.json(withQuery(FILES, { ...LISTED, q, fields: "files(id,name)" }));
    return (files as Item[]).some((file) => file.name === name);
  }

  /** @returns the address of the upload, or null if an earlier attempt has written the file */
  async #begin({ name, size, mimeType }: OutgoingFile, id: string, folder: string): Promise<string | null> {
    const address = withQuery(UPLOADS, { uploadType: "resumable", ...ALL_DRIVES });
    const metadata = { id, name, mimeType, parents: [folder] };
    const response = await this.#client.post(address, metadata, {
      "X-Upload-Content-Type": mimeType,
      "X-Upload-Content-Length": String(size),
    });
    const url = response.headers.get("Location");
    if (response.status !== 409 && !(response.ok && url)) throw await failureOf(response);
    await response.body?.cancel();
    return response.ok ? url : null;
  }

  async #stateOf(url: string, { size }: OutgoingFile): Promise<UploadState<Item>> {
    const headers = { "Content-Length": "0", "Content-Range": `bytes */${size}` };
    return readState(await this.#client.upload(url, { method: "PUT", headers }));
  }

  /** The file that an earlier attempt has written, or another one if it was removed there since. */
  async #findEarlier(file: OutgoingFile, id: string, restarted: boolean) {
    if (restarted || (await this.#isThere(id))) return this.#confirm(file, id);
    return this.#upload(file, undefined, true);
  }

  async #confirm(file: OutgoingFile, id: string): Promise<Written> {
    const item = await this.#find(id, "id,size,sha256Checksum,webViewLink,trashed");
    const isThere = item !== undefined && !item.trashed;
    if (isThere && Number(item.size) === file.size && item.sha256Checksum === file.sha256)
      return { kind: "written", id, url: item.webViewLink ?? null };
    // It was removed there, or is something else: the next attempt takes another id.
    if (!isThere || item.sha256Checksum) await file.saveSession(null);
    throw nothingStored();
  }
}

async function readState(response: Response): Promise<UploadState<Item>> {
  const { status, headers } = response;
  if (status === 308) {
    await response.body?.cancel();
    const last = /^bytes=0-(\d+)$/.exec(headers.get("Range") ?? "")?.[1];
    return { kind: "at", offset: last === undefined ? 0 : Number(last) + 1 };
  }
  if (response.ok) return { kind: "complete", item: await bodyOf(response) };
  if (status !== 404 && status !== 410 && status !== 409) throw await failureOf(response);
  await response.body?.cancel();
  // The id is in use: an earlier attempt has written the file.
  return { kind: status === 409 ? "taken" : "gone" };
}

/** The folders that the app has made. */
async function listFolders(
  client: CloudClient,
  { parent = "root", address, cursor }: { parent?: string; address?: string; cursor?: string },
) {
  if (address !== undefined || !FILE_ID.test(parent)) return { kind: "missing" as const };
  const q = `mimeType = '${FOLDER}' and ${quoted(parent)} in parents and trashed = false`;
  const query = { ...LISTED, q, pageSize: String(FOLDERS_PAGE), fields: "nextPageToken,files(id,name)" };
  const response = await client.call(
    withQuery(FILES, cursor === undefined ? query : { ...query, pageToken: cursor }),
  );
  if (response.status === 404) return { kind: "missing" as const };
  const { files, nextPageToken: next } = await bodyOf(response);
  const rows = (files as Item[]).map(({ id, name }) => ({ id, name }));
  return { kind: "folders" as const, rows, ...(next && { next }) };
}

async function accountOf(client: CloudClient) {
  const { user } = await client.json(withQuery(`${DRIVE}/about`, { fields: ACCOUNT, ...ALL_DRIVES }));
  return { kind: "account" as const, name: user?.emailAddress ?? user?.displayName };
}

/** Ends the grant of the person's account for all of this app. */
async function revoke(refreshToken: string, providerUrl: string | undefined): Promise<void> {
  const response = await fetch(providerAddress(REVOCATION, providerUrl), {
    method: "POST",
    body: new URLSearchParams({ token: refreshToken }),
    signal: AbortSignal.timeout(REVOCATION_MS),
  });
  const { status } = response;
  await response.body?.cancel();
  // It has ended already.
  if (!response.ok && status !== 400) throw new Error(`Google answered ${status}`);
}
