import { createGrants } from "./grants";
import { readChunk, store, type UploadSession, wholeOf } from "./upload-session";

export const MY_DRIVE = "b!mine";
/** The library of a SharePoint site. */
export const SITE_DRIVE = "b!site";
const UNIT = 320 * 1024;
const MAX_CHUNK = 60 * 1024 * 1024;

type Item = {
  id: string;
  driveId: string;
  parent: string | null;
  name: string;
  bytes: Uint8Array<ArrayBuffer> | null;
  createdAt: string;
  isDamaged?: boolean;
};
type GraphSession = UploadSession & { expiresAt: number };

/** What Microsoft Graph does with files and folders, and how it refuses. */
export function createGraph(origin: () => string) {
  const grants = createGrants({
    scope: "offline_access Files.ReadWrite.All",
    parameters: { prompt: "select_account" },
    rotates: true,
  });
  const items = new Map<string, Item>();
  const sessions = new Map<string, GraphSession>();
  const shared = new Map<string, string>();
  let ids = 0;

  const add = (item: Omit<Item, "id" | "createdAt">): Item => {
    ids += 1;
    const added = { ...item, id: `01ITEM${ids}`, createdAt: new Date().toISOString() };
    items.set(added.id, added);
    return added;
  };
  const root = (driveId: string) => add({ driveId, parent: null, name: "root", bytes: null });
  const roots: Record<string, Item> = { [MY_DRIVE]: root(MY_DRIVE), [SITE_DRIVE]: root(SITE_DRIVE) };
  const childrenOf = (parent: string) => [...items.values()].filter((item) => item.parent === parent);
  const childNamed = (parent: string, name: string) =>
    childrenOf(parent).find((item) => item.name.toLowerCase() === name.toLowerCase());
  const failure = (status: number, code: string) =>
    Response.json({ error: { code, message: `${code} of the test server` } }, { status });
  const shown = (item: Item) => ({
    id: item.id,
    name: item.name,
    createdDateTime: item.createdAt,
    webUrl: `https://contoso.sharepoint.com/${item.id}`,
    parentReference: { driveId: item.driveId, id: item.parent },
    ...(item.bytes
      ? { size: item.bytes.length - Number(item.isDamaged ?? 0), file: {} }
      : { folder: { childCount: 0 } }),
  });
  const refusedName = (name: string) =>
    /["*:<>?/\\|#%]|^~\$|_vti_|^ |[ .]$/.test(name) || Buffer.byteLength(name) > 400;

  async function api(request: Request, path: string, url: URL): Promise<Response> {
    if (!grants.allows(request)) return failure(401, "InvalidAuthenticationToken");
    const { method } = request;
    if (path === "/me/drive") {
      const owner = { user: { displayName: "Ada Byron", email: "ada@contoso.example" } };
      return Response.json({ id: MY_DRIVE, driveType: "business", owner });
    }
    const share = /^\/shares\/u!([\w-]+)\/driveItem$/.exec(path)?.[1];
    if (share !== undefined) {
      const found = items.get(shared.get(Buffer.from(share, "base64url").toString()) ?? "");
      return found ? Response.json(shown(found)) : failure(404, "itemNotFound");
    }
    const own = path.replace(/^\/me\/drive\//, `/drives/${MY_DRIVE}/`);
    const match = /^\/drives\/([^/]+)\/(?:root|items\/([^/:]+))(?::\/([^:]+?):?)?(\/\w+)?$/.exec(own);
    if (!match) return failure(400, "BadRequest");
    const [driveId = "", id, name, action] = match.slice(1);
    const item = id === undefined ? roots[driveId] : items.get(decodeURIComponent(id));
    if (!item || item.driveId !== driveId) return failure(404, "itemNotFound");
    if (name !== undefined) return byName(request, item, decodeURIComponent(name), action);
    if (action === "/children") return method === "GET" ? list(item, url) : makeFolder(request, item);
    if (action) return failure(400, "BadRequest");
    if (method !== "DELETE") return Response.json(shown(item));
    items.delete(item.id);
    return new Response(null, { status: 204 });
  }

  function list(item: Item, url: URL): Response {
    const size = Number(url.searchParams.get("$top") ?? 200);
    const start = Number(url.searchParams.get("$skiptoken") ?? 0);
    const all = childrenOf(item.id);
    const next = new URL(url);
    next.searchParams.set("$skiptoken", String(start + size));
    return Response.json({
      value: all.slice(start, start + size).map(shown),
      ...(start + size < all.length && { "@odata.nextLink": next.href }),
    });
  }

  async function makeFolder(request: Request, parent: Item): Promise<Response> {
    const body = await bodyOf(request);
    if (!body?.folder || typeof body.name !== "string" || refusedName(body.name))
      return failure(400, "invalidRequest");
    if (body["@microsoft.graph.conflictBehavior"] !== "fail") return failure(400, "conflictBehavior");
    if (childNamed(parent.id, body.name)) return failure(409, "nameAlreadyExists");
    const folder = { driveId: parent.driveId, parent: parent.id, name: body.name, bytes: null };
    return Response.json(shown(add(folder)), { status: 201 });
  }

  async function byName(request: Request, parent: Item, name: string, action: string | undefined) {
    const found = childNamed(parent.id, name);
    if (request.method === "GET" && !action)
      return found ? Response.json(shown(found)) : failure(404, "itemNotFound");
    if (action !== "/createUploadSession") return failure(400, "BadRequest");
    const body = await bodyOf(request);
    if (body?.item?.["@microsoft.graph.conflictBehavior"] !== "fail") return failure(400, "conflictBehavior");
    if (refusedName(name)) return failure(400, "invalidRequest");
    if (found) return failure(409, "nameAlreadyExists");
    if (graph.isFull) return failure(507, "quotaLimitReached");
    const session: GraphSession = {
      // The first chunk says it.
      size: null,
      ...{ received: [], offset: 0, expiresAt: Date.now() + 24 * 60 * 60_000 },
      finish(bytes) {
        if (childNamed(parent.id, name)) return failure(409, "nameAlreadyExists");
        sessions.delete(key);
        if (graph.storesNothing)
          return Response.json({ id: "01NOTHING", name, size: bytes.length }, { status: 201 });
        const { driveId, id } = parent;
        const { damages: isDamaged } = graph;
        return Response.json(shown(add({ driveId, parent: id, name, bytes, isDamaged })), { status: 201 });
      },
    };
    const key = crypto.randomUUID();
    sessions.set(key, session);
    return Response.json({
      uploadUrl: `${origin()}/graph-upload/${key}`,
      expirationDateTime: new Date(session.expiresAt).toISOString(),
      nextExpectedRanges: ["0-"],
    });
  }

  /** The upload's own address, which needs no token and refuses one. */
  async function upload(request: Request, key: string): Promise<Response> {
    const session = sessions.get(key);
    if (request.headers.has("authorization")) return failure(401, "unauthenticated");
    if (!session) return failure(404, "itemNotFound");
    const state = () => ({
      expirationDateTime: new Date(session.expiresAt).toISOString(),
      nextExpectedRanges: [`${session.offset}-`],
    });
    if (request.method === "GET") return Response.json(state());
    if (request.method === "DELETE") {
      sessions.delete(key);
      return new Response(null, { status: 204 });
    }
    const chunk = await readChunk(request, session, UNIT);
    if (chunk instanceof Response) return chunk;
    if (chunk.bytes.length > MAX_CHUNK) return failure(413, "invalidRequest");
    if (chunk.start !== session.offset) return failure(416, "invalidRange");
    if (graph.isFull) return failure(507, "quotaLimitReached");
    store(session, chunk.bytes);
    if (session.offset < (session.size ?? 0)) return Response.json(state(), { status: 202 });
    const response = session.finish(wholeOf(session));
    if (response.status === 409) {
      session.offset -= chunk.bytes.length;
      session.received.pop();
    }
    return response;
  }

  const graph = {
    ...{ api, upload, grants, items, roots, sessions },
    isFull: false,
    /** Confirms files that it does not store. */
    storesNothing: false,
    /** Stores less than it confirms. */
    damages: false,
    /** Adds a folder, as a person does in the browser. */
    addFolder: (driveId: string, name: string, parent = roots[driveId]?.id ?? "") =>
      add({ driveId, parent, name, bytes: null }),
    addFile: (parent: string, name: string, bytes: Uint8Array<ArrayBuffer>) =>
      add({ driveId: items.get(parent)?.driveId ?? "", parent, name, bytes }),
    /** Makes the item available under an address of SharePoint. */
    share: (address: string, id: string) => shared.set(address, id),
    removeFolder(id: string) {
      items.delete(id);
      for (const { id: below } of childrenOf(id)) graph.removeFolder(below);
    },
    expireSessions: () => sessions.clear(),
    /** The files with the names of their folders below the root of the drive. */
    files: (driveId = MY_DRIVE) =>
      [...items.values()].flatMap((item) =>
        item.bytes && item.driveId === driveId
          ? [{ path: pathOf(item), bytes: item.bytes, id: item.id }]
          : [],
      ),
  };
  const pathOf = ({ name, parent }: Item): string => {
    const above = items.get(parent ?? "");
    return above?.parent ? `${pathOf(above)}/${name}` : name;
  };
  return graph;
}

async function bodyOf(request: Request) {
  if (!request.headers.get("content-type")?.startsWith("application/json")) return null;
  return request.json().catch(() => null);
}
