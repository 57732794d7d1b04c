import { createHash } from "node:crypto";
import { createGrants } from "./grants";
import { readChunk, store, type UploadSession, wholeOf } from "./upload-session";

const FOLDER = "application/vnd.google-apps.folder";
const UNIT = 256 * 1024;

type Item = {
  id: string;
  parent: string;
  name: string;
  mimeType: string;
  bytes: Uint8Array<ArrayBuffer> | null;
  trashed: boolean;
  isDamaged?: boolean;
};

/** What the Drive API does for an app with the scope `drive.file`, and how it refuses. */
export function createDrive(origin: () => string) {
  const grants = createGrants({
    scope: "https://www.googleapis.com/auth/drive.file",
    parameters: { access_type: "offline", prompt: "consent" },
    rotates: false,
  });
  const items = new Map<string, Item>();
  const sessions = new Map<string, UploadSession>();
  const issued = new Set<string>();

  const failure = (status: number, reason: string, headers: Record<string, string> = {}) =>
    Response.json(
      { error: { code: status, message: `${reason} of the test server`, errors: [{ reason }] } },
      { status, headers },
    );
  const isTrashed = ({ trashed, parent }: Item): boolean => {
    const above = items.get(parent);
    return trashed || (above !== undefined && isTrashed(above));
  };
  const shown = (item: Item) => ({
    ...{ id: item.id, name: item.name, mimeType: item.mimeType, parents: [item.parent] },
    trashed: isTrashed(item),
    webViewLink: `https://drive.google.com/file/d/${item.id}/view`,
    ...(item.bytes && {
      // Numbers of 64 bits are texts in Google's JSON.
      size: String(item.bytes.length),
      sha256Checksum: item.isDamaged ? "0".repeat(64) : createHash("sha256").update(item.bytes).digest("hex"),
    }),
  });
  const parentOf = (body: { parents?: string[] }) => body.parents?.[0] ?? "root";
  const isFolder = (id: string) => id === "root" || items.get(id)?.mimeType === FOLDER;

  async function api(request: Request, path: string, url: URL): Promise<Response> {
    if (!grants.allows(request)) return failure(401, "authError");
    const { searchParams } = url;
    if (path === "/drive/v3/files/generateIds") {
      const ids = Array.from({ length: Number(searchParams.get("count") ?? 10) }, () => crypto.randomUUID());
      for (const id of ids) issued.add(id);
      return Response.json({ ids });
    }
    if (path === "/drive/v3/about") {
      if (!searchParams.get("fields")) return failure(400, "required");
      return Response.json({ user: { displayName: "Ada Byron", emailAddress: "ada@example.com" } });
    }
    if (searchParams.get("supportsAllDrives") !== "true") return failure(404, "notFound");
    if (path === "/upload/drive/v3/files") return begin(request, url);
    if (path === "/drive/v3/files") return request.method === "GET" ? list(url) : makeFolder(request);
    const id = /^\/drive\/v3\/files\/([\w-]+)$/.exec(path)?.[1];
    const found = items.get(id ?? "");
    if (!found) return failure(404, "notFound");
    if (request.method !== "DELETE") return Response.json(shown(found));
    items.delete(found.id);
    return new Response(null, { status: 204 });
  }

  /** Lists what the queries of the app ask for: the folders or files in a folder. */
  function list(url: URL): Response {
    const { searchParams } = url;
    if (searchParams.get("includeItemsFromAllDrives") !== "true")
      return failure(403, "teamDrivesNotSupported");
    const q = searchParams.get("q") ?? "";
    const parent = /'([\w-]+)' in parents/.exec(q)?.[1];
    const name = /name = '((?:[^'\\]|\\.)*)'/.exec(q)?.[1]?.replace(/\\(.)/g, "$1");
    const found = [...items.values()].filter(
      (item) =>
        !isTrashed(item) &&
        (parent === undefined || item.parent === parent) &&
        (name === undefined || item.name === name) &&
        (!q.includes(FOLDER) || item.mimeType === FOLDER),
    );
    const size = Number(searchParams.get("pageSize") ?? 100);
    const start = Number(searchParams.get("pageToken") ?? 0);
    return Response.json({
      files: found.slice(start, start + size).map(shown),
      ...(start + size < found.length && { nextPageToken: String(start + size) }),
    });
  }

  async function makeFolder(request: Request): Promise<Response> {
    const body = await bodyOf(request);
    if (body?.mimeType !== FOLDER || typeof body.name !== "string") return failure(400, "badRequest");
    const { id = crypto.randomUUID(), name, mimeType } = body;
    if (body.id !== undefined && !issued.has(id)) return failure(400, "invalid");
    if (items.has(id)) return failure(409, "fileIdInUse");
    if (!isFolder(parentOf(body))) return failure(404, "notFound");
    const folder = { id, name, mimeType, parent: parentOf(body), bytes: null, trashed: false };
    items.set(id, folder);
    return Response.json(shown(folder));
  }

  async function begin(request: Request, url: URL): Promise<Response> {
    const { headers } = request;
    if (url.searchParams.get("uploadType") !== "resumable") return failure(400, "badRequest");
    const size = Number(headers.get("x-upload-content-length"));
    const mimeType = headers.get("x-upload-content-type");
    const body = await bodyOf(request);
    if (!(size > 0) || !mimeType || typeof body?.name !== "string") return failure(400, "badRequest");
    const { id, name } = body;
    const parent = parentOf(body);
    if (!issued.has(id)) return failure(400, "invalid");
    if (items.has(id)) return failure(409, "fileIdInUse");
    if (!isFolder(parent)) return failure(404, "notFound");
    if (drive.isFull) return failure(403, "storageQuotaExceeded");
    const key = crypto.randomUUID();
    sessions.set(key, {
      ...{ size, received: [], offset: 0 },
      finish(bytes) {
        if (items.has(id)) return failure(409, "fileIdInUse");
        const item = { id, name, mimeType, parent, bytes, trashed: false, isDamaged: drive.damages };
        if (!drive.storesNothing) items.set(id, item);
        return Response.json(shown(item));
      },
    });
    return new Response(null, { headers: { Location: `${origin()}/drive-upload/${key}` } });
  }

  async function upload(request: Request, key: string): Promise<Response> {
    const session = sessions.get(key);
    if (!session) return failure(404, "notFound");
    const incomplete = () =>
      new Response(null, {
        status: 308,
        headers: session.offset > 0 ? { Range: `bytes=0-${session.offset - 1}` } : {},
      });
    const complete = session.offset === session.size;
    if (request.headers.get("content-range") === `bytes */${session.size}`) {
      if (request.headers.get("content-length") !== "0") return failure(411, "lengthRequired");
      return complete ? session.finish(wholeOf(session)) : incomplete();
    }
    const chunk = await readChunk(request, session, UNIT);
    if (chunk instanceof Response) return chunk;
    if (chunk.start !== session.offset) return failure(400, "badRequest");
    // Drive keeps what has arrived of a chunk in units, as its Range header says.
    const kept = drive.keepsOnly ?? chunk.bytes.length;
    if (kept < chunk.bytes.length) {
      drive.keepsOnly = undefined;
      store(session, chunk.bytes.slice(0, kept));
      return failure(503, "backendError");
    }
    store(session, chunk.bytes);
    return session.offset < (session.size ?? 0) ? incomplete() : session.finish(wholeOf(session));
  }

  const drive = {
    ...{ api, upload, grants, items, sessions },
    isFull: false,
    storesNothing: false,
    /** Says another checksum than that of the bytes. */
    damages: false,
    /** Bytes of the next chunk that it stores before it fails. */
    keepsOnly: undefined as number | undefined,
    expireSessions: () => sessions.clear(),
    /** Moves it into the bin, with all that is in it. */
    removeFolder(id: string) {
      const item = items.get(id);
      if (item) item.trashed = true;
    },
    files: () =>
      [...items.values()].flatMap((item) =>
        item.bytes ? [{ path: pathOf(item), bytes: item.bytes, id: item.id }] : [],
      ),
  };
  const pathOf = ({ name, parent }: Item): string => {
    const above = items.get(parent);
    return above ? `${pathOf(above)}/${name}` : name;
  };
  return drive;
}

async function bodyOf(request: Request) {
  if (!request.headers.get("content-type")?.startsWith("application/json")) return null;
  return request.json().catch(() => null);
}
