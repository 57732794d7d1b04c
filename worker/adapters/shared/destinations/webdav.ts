import type { Destination, DestinationAccess, OutgoingFile, PutOutcome } from "../../../ports/destination";
import type { PublicFetch } from "../../../ports/public-fetch";
import { encodePath, orProblem, problem, problemOf, type Reply, send, TEST_BYTES, testName } from "./http";

/** A folder behind WebDAV. Files are written under another name and moved, so that nobody sees half of one. */
export function createWebdavDestination(fetchPublic: PublicFetch): Destination {
  const open = (access: DestinationAccess) => openFolder(fetchPublic, access);
  return {
    check: (access) =>
      orProblem(async () => {
        const folder = open(access);
        const path = [testName()];
        await folder.write(path, TEST_BYTES, TEST_BYTES.length);
        const size = await folder.sizeOf(path);
        await folder.remove(path);
        if (size !== TEST_BYTES.length) throw problem("refused", notStored(size, TEST_BYTES.length));
        return { kind: "works", path: path.join("/") };
      }),
    put: (access, file) => orProblem(() => put(open(access), file)),
  };
}

async function put(folder: WebdavFolder, file: OutgoingFile): Promise<PutOutcome> {
  const { size } = file;
  const part = [...file.folder, `.${file.id}.part`];
  const target = [...file.folder, file.name];
  const written = { kind: "written", url: null } as const;
  const stored = await folder.sizeOf(part);
  const found = await folder.sizeOf(target);
  // An earlier attempt was interrupted after it had moved the file.
  if (found === size && stored === null && file.session === file.name) return written;
  if (found !== null) return { kind: "taken" };
  if (stored !== size) {
    await folder.make(file.folder);
    await folder.write(part, await file.read(), size);
    const received = await folder.sizeOf(part);
    if (received !== size) {
      if (received !== null) await folder.remove(part);
      throw problem("refused", notStored(received, size));
    }
  }
  await file.saveSession(file.name);
  if ((await folder.move(part, target)) === "taken") return { kind: "taken" };
  const moved = await folder.sizeOf(target);
  if (moved !== size) throw problem("refused", notStored(moved, size));
  return written;
}

const notStored = (found: number | null, size: number) =>
  `It stored ${found ?? 0} of ${size} bytes although it reported success`;

type WebdavFolder = ReturnType<typeof openFolder>;

function openFolder(fetchPublic: PublicFetch, { settings, credentials, signal }: DestinationAccess) {
  const login = new TextEncoder().encode(`${credentials.user}:${credentials.password}`).toBase64();
  const root = (settings.url ?? "").replace(/[?#].*$/, "").replace(/\/*$/, "/");
  const urlOf = (path: readonly string[]) => new URL(root + encodePath(path));
  const call = (method: string, url: URL, headers: Record<string, string> = {}, body?: BodyInit) =>
    send(fetchPublic, url, {
      method,
      headers: { Authorization: `Basic ${login}`, ...headers },
      body,
      signal,
    });
  const require = (reply: Reply, ...statuses: number[]) => {
    if (statuses.includes(reply.status)) return;
    // Of what is written, also by servers that say so of the folder that it is written into.
    const isMissing = reply.status === 404 || reply.status === 409;
    throw isMissing ? problem("missing", problemOf(reply).message) : problemOf(reply);
  };

  /** Makes a folder and those that it is in. */
  const make = async (path: readonly string[]): Promise<void> => {
    if (path.length === 0) return;
    const url = new URL(`${urlOf(path)}/`);
    const reply = await call("MKCOL", url);
    // It exists already.
    if (reply.status === 405) return;
    if ((reply.status === 409 || reply.status === 404) && path.length > 1) {
      await make(path.slice(0, -1));
      const again = await call("MKCOL", url);
      return require(again, 201, 405);
    }
    require(reply, 201);
  };
  return {
    make,
    /** Null if there is no such file. */
    async sizeOf(path: readonly string[]): Promise<number | null> {
      const reply = await call("HEAD", urlOf(path));
      if (reply.status === 404) return null;
      require(reply, 200);
      return Number(reply.headers.get("content-length") ?? -1);
    },
    /** Whatever the body says: some servers report failures with status 200. */
    async write(path: readonly string[], body: BodyInit, size: number) {
      const headers = { "Content-Type": "application/octet-stream", "Content-Length": String(size) };
      require(await call("PUT", urlOf(path), headers, body), 201, 204);
    },
    async move(from: readonly string[], to: readonly string[]): Promise<"moved" | "taken"> {
      const headers = { Destination: urlOf(to).href, Overwrite: "F" };
      const reply = await call("MOVE", urlOf(from), headers);
      if (reply.status === 412) return "taken";
      require(reply, 201, 204);
      return "moved";
    },
    async remove(path: readonly string[]) {
      require(await call("DELETE", urlOf(path)), 200, 204, 404);
    },
  };
}
