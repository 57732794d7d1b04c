export type WebdavServer = {
  url: string;
  /** What stands there, by its decoded path without the first slash; folders end with a slash and are empty. */
  files: Map<string, Uint8Array>;
  requests: { method: string; path: string; headers: Headers }[];
  /** Answers instead of the server, if it returns a response. */
  respond?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Runs after a request was carried out: its answer is lost if it returns another. */
  after?: (request: Request) => Response | undefined;
  /** The names of the files, without those of folders. */
  names(): string[];
  text(path: string): string | undefined;
  stop(): Promise<void>;
};

/**
 * A small WebDAV server as strict as the real ones: Basic authentication, MKCOL only in folders that exist and with a slash,
 * PUT with a Content-Length, MOVE that heeds `Overwrite`.
 */
export function startWebdavServer({ user = "office", password = "s:ecret ü" } = {}): WebdavServer {
  const login = `Basic ${new TextEncoder().encode(`${user}:${password}`).toBase64()}`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      dav.requests.push({ method: request.method, path: pathOf(request.url), headers: request.headers });
      const instead = await dav.respond?.(request);
      if (instead) return instead;
      if (request.headers.get("authorization") !== login)
        return new Response("Who are you?", { status: 401 });
      const response = await answer(dav, request);
      return dav.after?.(request) ?? response;
    },
  });
  const dav: WebdavServer = {
    url: `http://127.0.0.1:${server.port}/dav`,
    files: new Map(),
    requests: [],
    names: () => [...dav.files.keys()].filter((path) => !path.endsWith("/")).sort(),
    text: (path) => {
      const bytes = dav.files.get(path);
      return bytes && new TextDecoder().decode(bytes);
    },
    stop: () => server.stop(true),
  };
  return dav;
}

const pathOf = (url: string) =>
  new URL(url).pathname
    .replace(/^\/dav\//, "")
    .split("/")
    .map(decodeURIComponent)
    .join("/");
const parentExists = ({ files }: WebdavServer, path: string) => {
  const parent = path.replace(/[^/]*\/?$/, "");
  return parent === "" || files.has(parent);
};

async function answer(dav: WebdavServer, request: Request): Promise<Response> {
  const { files } = dav;
  const path = pathOf(request.url);
  const found = files.get(path);
  switch (request.method) {
    case "MKCOL":
      if (!path.endsWith("/")) return new Response(null, { status: 409 });
      if (found) return new Response(null, { status: 405 });
      if (!parentExists(dav, path)) return new Response(null, { status: 409 });
      files.set(path, new Uint8Array());
      return new Response(null, { status: 201 });
    case "PUT":
      if (!request.headers.has("content-length")) return new Response(null, { status: 411 });
      if (!parentExists(dav, path)) return new Response(null, { status: 409 });
      files.set(path, await request.bytes());
      return new Response(null, { status: found ? 204 : 201 });
    case "HEAD":
      if (!found) return new Response(null, { status: 404 });
      return new Response(null, { headers: { "Content-Length": String(found.length) } });
    case "MOVE": {
      const target = pathOf(request.headers.get("destination") ?? "");
      if (!found) return new Response(null, { status: 404 });
      if (files.has(target) && request.headers.get("overwrite") === "F")
        return new Response(null, { status: 412 });
      files.set(target, found);
      files.delete(path);
      return new Response(null, { status: 201 });
    }
    case "DELETE":
      return new Response(null, { status: files.delete(path) ? 204 : 404 });
    default:
      return new Response(null, { status: 405 });
  }
}
