import { nextName } from "../../../contract/delivery-path";
import type { Destination, DestinationAccess, OutgoingFile, PutOutcome } from "../../../ports/destination";
import {
  bodyOf,
  type CloudClient,
  type CloudOptions,
  createCloudClient,
  failureOf,
  MissingError,
} from "./cloud-client";
import {
  nothingStored,
  readSession,
  saveSession,
  sendChunks,
  testFile,
  type UploadState,
} from "./cloud-upload";
import { orProblem, problem } from "./http";

const GRAPH = "https://graph.microsoft.com/v1.0";
/** A multiple of 320 KiB, as Graph demands. */
const CHUNK_BYTES = 10 * 1024 * 1024;
const FOLDERS_PAGE = 200;
/** How far the clocks of Graph and of this server may differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
const MAX_NAMES = 20;
const FAIL_IF_TAKEN = { "@microsoft.graph.conflictBehavior": "fail" };
const SHARED_HOSTS = /^(?:[\w-]+\.sharepoint\.com|onedrive\.live\.com|1drv\.ms)$/i;
const ADDRESS_GONE = [401, 404, 410];

type Item = {
  id: string;
  name: string;
  size?: number;
  webUrl?: string;
  createdDateTime?: string;
  folder?: object;
  parentReference?: { driveId?: string };
};
type Written = { kind: "written"; id: string; url: string | null };

/** OneDrive and SharePoint, by Microsoft Graph. A folder and its files are found by their ids. */
export function createMicrosoftDestination(options: CloudOptions): Destination {
  const driveOf = (access: DestinationAccess) => new Drive(createCloudClient(access, options), access);
  return {
    check: (access) => orProblem(() => driveOf(access).check()),
    put: (access, file) => orProblem(() => driveOf(access).put(file)),
    folders: (access, query) => orProblem(() => listFolders(createCloudClient(access, options), query)),
    account: (access) => orProblem(() => accountOf(createCloudClient(access, options))),
  };
}

class Drive {
  readonly #client: CloudClient;
  readonly #access: DestinationAccess;

  constructor(client: CloudClient, access: DestinationAccess) {
    this.#client = client;
    this.#access = access;
  }

  async check() {
    const { folderId = "" } = this.#access.settings;
    const folder: Item = await this.#client.json(this.#item(folderId));
    const file = await testFile();
    const outcome = await this.#upload(file, undefined, folderId);
    if (outcome.kind !== "written") throw nothingStored();
    const removed = await this.#client.call(this.#item(outcome.id), { method: "DELETE" });
    if (!removed.ok) throw await failureOf(removed);
    return { kind: "works" as const, path: `${folder.name}/${file.name}` };
  }

  put = (file: OutgoingFile): Promise<PutOutcome> =>
    this.#inFolder(file.folder, (folderId) => this.#upload(file, readSession(file)?.url, folderId));

  #item = (id: string) => {
    const { driveId = "" } = this.#access.settings;
    return `${GRAPH}/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(id)}`;
  };
  #child = (folderId: string, name: string) => `${this.#item(folderId)}:/${encodeURIComponent(name)}`;

  /** Does the work in the folder of this path. One that is gone is made again. */
  async #inFolder<T>(path: readonly string[], work: (folderId: string) => Promise<T>): Promise<T> {
    const { driveId, folderId = "" } = this.#access.settings;
    const { folderIds } = this.#access;
    const key = [`${driveId}:${folderId}`, ...path].join("/");
    for (let repeated = false; ; repeated = true) {
      try {
        return await work(await this.#folderId(key, path));
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
        if (path.length === 0 || repeated) throw problem("missing", error.message);
        await folderIds.forget(key);
      }
    }
  }

  async #folderId(key: string, path: readonly string[]): Promise<string> {
    const { settings, folderIds } = this.#access;
    const name = path.at(-1);
    if (name === undefined) return settings.folderId ?? "";
    const known = await folderIds.find(key);
    if (known !== undefined) return known;
    const made = await this.#inFolder(path.slice(0, -1), (parent) => this.#makeFolder(parent, name));
    return folderIds.save(key, made);
  }

  /** @returns the id of the folder with this name, or of one with the next name if a file has it */
  async #makeFolder(parent: string, wanted: string): Promise<string> {
    for (let attempt = 1; attempt <= MAX_NAMES; attempt += 1) {
      const name = nextName(wanted, attempt);
      const folder = { name, folder: {}, ...FAIL_IF_TAKEN };
      const response = await this.#client.post(`${this.#item(parent)}/children`, folder);
      if (response.status !== 409) return (await bodyOf(response)).id;
      await response.body?.cancel();
      const found: Item = await this.#client.json(this.#child(parent, name));
      if (found.folder) return found.id;
    }
    throw problem("refused", `There is no free name for the folder ${wanted}`);
  }

  /** Continues the upload that an earlier attempt has begun at this address, or begins one. */
  async #upload(
    file: OutgoingFile,
    earlier: string | undefined,
    folderId: string,
    restarted = false,
  ): Promise<Written | { kind: "taken" | "unfinished" }> {
    const known: UploadState<Item> = earlier === undefined ? { kind: "gone" } : await this.#stateOf(earlier);
    let url = earlier ?? "";
    let offset = 0;
    if (known.kind === "at") offset = known.offset;
    else {
      const item = { ...FAIL_IF_TAKEN, name: file.name };
      const begun = await this.#client.post(`${this.#child(folderId, file.name)}:/createUploadSession`, {
        item,
      });
      if (begun.status === 409) {
        await begun.body?.cancel();
        const other: Item = await this.#client.json(this.#child(folderId, file.name));
        const isOurs = earlier !== undefined && isWrittenBy(other, file);
        return isOurs ? this.#confirm(file, other.id) : { kind: "taken" };
      }
      url = (await bodyOf(begun)).uploadUrl;
      await saveSession(file, { name: file.name, url });
    }
    const read = (response: Response) => this.#read(response, url);
    const steps = { url, offset, chunkBytes: CHUNK_BYTES, read };
    const end = await sendChunks(this.#client, file, steps);
    if (!end) return { kind: "unfinished" };
    if (end.kind === "taken") return { kind: "taken" };
    if (end.kind === "complete") return this.#confirm(file, end.item.id);
    if (restarted) throw nothingStored();
    return this.#upload(file, url, folderId, true);
  }

  async #stateOf(url: string): Promise<UploadState<Item>> {
    const response = await this.#client.upload(url, { method: "GET" });
    if (!ADDRESS_GONE.includes(response.status)) return positionOf(response);
    await response.body?.cancel();
    return { kind: "gone" };
  }

  async #read(response: Response, url: string): Promise<UploadState<Item>> {
    const { status } = response;
    if (status === 202) return positionOf(response);
    if (response.ok) return { kind: "complete", item: await bodyOf(response) };
    if (status !== 416 && status !== 409 && !ADDRESS_GONE.includes(status)) throw await failureOf(response);
    await response.body?.cancel();
    // It has more or less of the file than was thought.
    if (status === 416) return this.#stateOf(url);
    return { kind: status === 409 ? "taken" : "gone" };
  }

  async #confirm(file: OutgoingFile, id: string): Promise<Written> {
    const response = await this.#client.call(this.#item(id));
    const item: Item | undefined = response.status === 404 ? undefined : await bodyOf(response);
    if (item?.size !== file.size) throw nothingStored();
    return { kind: "written", id, url: item.webUrl ?? null };
  }
}

/** How much of a file has arrived; an upload without a next byte cannot be continued. */
async function positionOf(response: Response): Promise<UploadState<Item>> {
  const offset = Number.parseInt((await bodyOf(response)).nextExpectedRanges?.[0], 10);
  return Number.isInteger(offset) ? { kind: "at", offset } : { kind: "gone" };
}

/** Whether an earlier attempt has written this file, though its response was lost. */
function isWrittenBy({ size, createdDateTime = "" }: Item, file: OutgoingFile): boolean {
  const since = Date.parse(createdDateTime) - Date.parse(file.startedAt);
  return size === file.size && since >= -CLOCK_TOLERANCE_MS;
}

/** Folders of the own drive, or the folder of an address. */
async function listFolders(
  client: CloudClient,
  { parent, address, cursor }: { parent?: string; address?: string; cursor?: string },
) {
  if (address !== undefined) return folderAt(client, address);
  const item = parent === undefined ? "root" : `items/${encodeURIComponent(parent)}`;
  const query = new URLSearchParams({
    $top: String(FOLDERS_PAGE),
    $select: "id,name,folder,parentReference",
  });
  if (cursor !== undefined) query.set("$skiptoken", cursor);
  const response = await client.call(`${GRAPH}/me/drive/${item}/children?${query}`);
  if (response.status === 400 || response.status === 404) return { kind: "missing" as const };
  const { value, "@odata.nextLink": link } = await bodyOf(response);
  const next = link && new URL(link).searchParams.get("$skiptoken");
  const rows = (value as Item[]).filter(({ folder }) => folder).map(folderRow);
  return { kind: "folders" as const, rows, ...(next && { next }) };
}

async function folderAt(client: CloudClient, address: string) {
  const url = URL.parse(address.trim());
  if (url?.protocol !== "https:" || !SHARED_HOSTS.test(url.hostname)) return { kind: "missing" as const };
  for (const candidate of new Set([addressOfFolder(url), url.href])) {
    const encoded = new TextEncoder()
      .encode(candidate)
      .toBase64({ alphabet: "base64url", omitPadding: true });
    const response = await client.call(`${GRAPH}/shares/u!${encoded}/driveItem`);
    const isRefused = [400, 403, 404].includes(response.status);
    const item: Item | undefined = isRefused ? undefined : await bodyOf(response);
    if (item?.folder) return { kind: "folders" as const, rows: [folderRow(item)] };
    if (isRefused) await response.body?.cancel();
  }
  return { kind: "missing" as const };
}

/** The folder's own address: the address bar has that of the page that shows it, with the folder in `id`. */
function addressOfFolder({ origin, pathname, searchParams, href }: URL): string {
  const page = /^(.*)\/Forms\/[^/]+\.aspx$/i.exec(pathname);
  const path = searchParams.get("id") ?? searchParams.get("RootFolder");
  if (path?.startsWith("/") && pathname.endsWith(".aspx")) return new URL(encodeURI(path), origin).href;
  return page ? `${origin}${page[1]}` : href;
}

const folderRow = ({ id, name, parentReference }: Item) => ({
  id,
  name,
  driveId: parentReference?.driveId ?? "",
});

async function accountOf(client: CloudClient) {
  const { owner } = await client.json(`${GRAPH}/me/drive`);
  return { kind: "account" as const, name: owner?.user?.email ?? owner?.user?.displayName };
}
