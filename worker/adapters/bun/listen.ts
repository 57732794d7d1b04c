import { gc, gzipSync, type Server, serve } from "bun";
import type { AppEnv } from "../../app-env";
import { ERRORS } from "../../contract/errors";
import { causes } from "../../errors";
import { apiHeaders } from "../../lib/security-headers";
import { createWorkQueue, type WorkQueue } from "../../lib/work-queue";
import type { Logger } from "../../ports/logger";
import { countedAddress, forwardedAddress } from "../shared/client-address";
import { errorCode } from "./files/disk-errors";
import { PermanentStartError, StartError } from "./start-error";

/** Idle connections are closed after this time; uploads have their own limits. */
const IDLE_SECONDS = 30;
const IN_THE_APP = ["/api", "/api/*", "/uploads", "/uploads/*"];

const IGNORED =
  "A request has this header while TRUSTED_PROXIES is 0. If it comes from your reverse proxy, set TRUSTED_PROXIES=1: all clients share its address until then";

type Client = AppEnv["Bindings"] & { allowSlowBody: () => void };

/** The handlers: the app for the API and files, the site for all other paths. */
export type Handlers = {
  app: (request: Request, client: Client) => Response | Promise<Response>;
  site: (request: Request) => Response;
  /** Answers `GET /metrics`, if metrics are enabled. */
  metrics?: (request: Request) => Promise<Response>;
};

/**
 * Listens on the port and answers with the handlers that `prepare` creates for the actual port. `fileBytes` is what a
 * client that takes a file slowly keeps of it in memory.
 * @throws StartError if the address is in use or does not belong to this machine
 */
export function listen(
  { host, port, proxies, fileBytes = 0 }: { host: string; port: number; proxies: number; fileBytes?: number },
  log: Logger,
  prepare: (port: number) => Handlers,
): Server<undefined> {
  let handlers: Handlers;
  const releaseBuffers = createBufferRelease();
  const unread = createUnread();
  const inTurn = createReadTurns();
  const nextTick = createTicks();
  const trust = {
    proxies,
    warnOnce: once(() => log.warn("X-Forwarded-For is ignored", { reason: IGNORED })),
  };
  try {
    const server: Server<undefined> = serve({
      hostname: host,
      port,
      // If this is unset and `development` is off, Bun lets several processes share a port.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      // The app limits each kind of body itself and answers with a message; Bun would only close the connection.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      routes: Object.fromEntries(
        IN_THE_APP.map((path) => [
          path,
          async (request: Request) => {
            if (hasSeveralHosts(request)) return severalHosts();
            const slow = slowBody(request, server);
            // Before the wait: Bun forgets the address of a connection that is closed meanwhile.
            const clientAddress = addressOf(request, server, trust);
            const client: Client = {
              clientAddress,
              allowSlowBody: slow.allow,
              ...(fileBytes > 0 && {
                countFile: (length) => unread.begin(clientAddress, Math.min(length, fileBytes)),
              }),
            };
            await nextTick();
            const answer = async () => {
              if (unread.isFull(clientAddress)) return tooMuchUnread();
              const response = await handlers.app(withOrigin(request), client);
              releaseBuffers(request, response);
              const sent = await compressJson(request, response);
              const isLarge = (client.responseLength ?? 0) > LARGE_RESPONSE && request.method !== "HEAD";
              return isLarge ? unread.hold(sent, clientAddress) : sent;
            };
            const takesTurns = request.method === "GET" && !ELSEWHERE.test(request.url);
            try {
              return await (takesTurns ? inTurn(clientAddress, answer) : answer());
            } finally {
              slow.end();
            }
          },
        ]),
      ),
      fetch: async (incoming) => {
        if (hasSeveralHosts(incoming)) return severalHosts();
        await nextTick();
        const request = withOrigin(incoming);
        const { metrics } = handlers;
        return metrics && isMetrics(request) ? metrics(request) : handlers.site(request);
      },
      error: (error) => failure(error, log),
    });
    // No request is answered before this function returns.
    handlers = prepare(server.port ?? port);
    return server;
  } catch (error) {
    const code = errorCode(error);
    // The address of HOST may come up later; a taken port stays taken.
    const Failure = code === "EADDRINUSE" || code === "EACCES" ? PermanentStartError : StartError;
    throw code ? new Failure(whyNot(code, host, port)) : error;
  }
}

/**
 * Bun gives a request without a Host header, such as a health check over HTTP/1.0, a URL that is only a path, and one
 * with an invalid Host a URL that cannot be parsed. A plain name, which is most, needs no parser.
 */
const withOrigin = (request: Request): Request =>
  PLAIN_ORIGIN.test(request.url) || URL.canParse(request.url)
    ? request
    : new Request(`http://localhost${pathOf(request.url)}`, request);

/**
 * Bun joins several Host headers by a comma, and takes the first for the URL. A proxy in front may have routed the request
 * by another one. The other characters end a host in a URL.
 */
const hasSeveralHosts = ({ headers }: Request): boolean => /[\s,/?#@\\]/.test(headers.get("host") ?? "");

function severalHosts(): Response {
  const body = { message: "A request must have one Host header, with one host", code: "validation" };
  return Response.json(body, { status: 400, headers: apiHeaders({ https: false }) });
}

const PLAIN_ORIGIN = /^https?:\/\/[a-z]+(?:[.-][a-z]+)*(?::[1-5]?\d{1,4})?\//;

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?#]*/i, "");

const isMetrics = ({ method, url }: Request) => method === "GET" && new URL(url).pathname === "/metrics";

function addressOf(
  request: Request,
  server: Server<undefined>,
  { proxies, warnOnce }: { proxies: number; warnOnce: () => void },
): string {
  const peer = server.requestIP(request)?.address ?? "unknown";
  const forwarded = request.headers.get("X-Forwarded-For");
  if (forwarded && proxies === 0) warnOnce();
  return countedAddress(forwardedAddress(forwarded, proxies) ?? peer);
}

/**
 * Disables the idle timeout while a body is read. Without `end`, Bun would keep the connection open without a timeout
 * after the response, even if the client has disappeared.
 */
function slowBody(request: Request, server: Server<undefined>) {
  let allowed = false;
  return {
    allow() {
      allowed = true;
      server.timeout(request, 0);
    },
    end() {
      if (allowed) server.timeout(request, IDLE_SECONDS);
    },
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** For errors that the app itself did not turn into a response. */
function failure(error: Error, log: Logger): Response {
  log.error("request failed outside the app", { error: causes(error).trim() });
  const body = { message: "Something went wrong on our side", code: "internal" };
  return Response.json(body, { status: 500, headers: apiHeaders({ https: false }) });
}

function whyNot(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is already in use; stop what uses it or choose another with PORT`;
  if (code === "EACCES")
    return `Port ${port} requires privileges that this user does not have; choose another with PORT`;
  return `HOST is ${JSON.stringify(host)}, but this machine cannot listen on it (${code})`;
}

/** Below this size the header costs more than compression saves. */
const WORTH_BYTES = 1024;
/** Nearly as small as the best level, in a third of its time. */
const LEVEL = 3;

const LARGE_RESPONSE = 256 * 1024;
/** Of large responses and files to one client address, what may wait in memory for the client to take it. */
const UNREAD_PER_ADDRESS = 64 * 1024 * 1024;
const PART_BYTES = 64 * 1024;

/** Sends large responses in parts, and knows how much of them each client address has not taken yet. */
function createUnread() {
  const bytes = new Map<string, number>();
  const count = (address: string, change: number) => {
    const sum = (bytes.get(address) ?? 0) + change;
    if (sum > 0) bytes.set(address, sum);
    else bytes.delete(address);
  };
  const isFull = (address: string) => (bytes.get(address) ?? 0) > UNREAD_PER_ADDRESS;
  const begin = (address: string, length: number) => {
    count(address, length);
    return once(() => count(address, -length));
  };
  return {
    isFull,
    begin: (address: string, length: number) => (isFull(address) ? null : begin(address, length)),
    async hold(response: Response, address: string): Promise<Response> {
      const whole = await response.bytes();
      const end = begin(address, whole.length);
      let taken = 0;
      const parts: UnderlyingDefaultSource<Uint8Array> = {
        pull(controller) {
          controller.enqueue(whole.subarray(taken, taken + PART_BYTES));
          taken += PART_BYTES;
          if (taken < whole.length) return;
          end();
          controller.close();
        },
        cancel: end,
      };
      return new Response(new ReadableStream(parts, { highWaterMark: 0 }), response);
    },
  };
}

/** Of one client address: further ones wait for these, so that many at once hold up nobody else. */
const READS = {
  running: 10,
  ...{ waiting: Number.POSITIVE_INFINITY, waitingPerLane: Number.POSITIVE_INFINITY, retryAfterSeconds: 1 },
};
/** What waits for the file store or a service elsewhere, and not for this process. */
const ELSEWHERE = /^https?:\/\/[^/]*\/(?:uploads|api\/(?:auth|destinations|ready))\b/;

/** Lets the reads of each client address take turns. */
function createReadTurns() {
  const lines = new Map<string, { queue: WorkQueue; reads: number }>();
  return async <T>(address: string, read: () => Promise<T>): Promise<T> => {
    const line = lines.get(address) ?? { queue: createWorkQueue(READS), reads: 0 };
    lines.set(address, line);
    line.reads += 1;
    try {
      return await line.queue.run([], read);
    } finally {
      line.reads -= 1;
      if (line.reads === 0) lines.delete(address);
    }
  };
}

const REQUESTS_PER_TICK = 50;

/**
 * Lets what follows many requests in one tick wait for the next. Bun hands over thousands that one client has written at
 * once before it reads anybody else, and closes their connection where one has to wait.
 */
function createTicks(): () => Promise<void> | undefined {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests === 1) setImmediate(() => (requests = 0));
    return requests > REQUESTS_PER_TICK ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}

function tooMuchUnread(): Response {
  const body = { message: ERRORS.rate_limited.message, code: "rate_limited" };
  const headers = { ...apiHeaders({ https: false }), "Retry-After": "10" };
  return Response.json(body, { status: 429, headers });
}

/** The description of the API, large and read by anybody: the one JSON response that has an entity tag. */
let tagged: { etag: string; gzipped: Uint8Array<ArrayBuffer> } | undefined;

/**
 * Compresses a JSON response with gzip if the client accepts it and it is worth it. Workers compress on their own.
 */
export function compressJson(request: Request, response: Response): Response | Promise<Response> {
  const { headers } = response;
  if (!headers.get("Content-Type")?.startsWith("application/json")) return response;
  headers.append("Vary", "Accept-Encoding");
  return /\bgzip\b/.test(request.headers.get("Accept-Encoding") ?? "") ? gzipJson(response) : response;
}

async function gzipJson(response: Response): Promise<Response> {
  const { headers, status, statusText } = response;
  const etag = status === 200 ? headers.get("ETag") : null;
  let gzipped = etag && tagged?.etag === etag ? tagged.gzipped : undefined;
  if (!gzipped) {
    const bytes = await response.bytes();
    if (bytes.length < WORTH_BYTES) return new Response(bytes, { status, statusText, headers });
    gzipped = gzipSync(bytes, { level: LEVEL });
    if (etag) tagged = { etag, gzipped };
  }
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  return new Response(gzipped, { status, statusText, headers });
}

const BYTES_PER_COLLECTION = 256 * 1024 * 1024;

/**
 * Frees what the chunks of resumable uploads leave behind. Problem: Bun reads a body into buffers of up to 2 MiB, and
 * the last one stays with the request. A request that was running during one of the frequent small collections is
 * freed only by a full one, which may be minutes away: a file of 5 GB in 8 MiB chunks kept 50 to 95 MB. A collection
 * takes some 20 ms, so one runs only after so many stored bytes. A file in one request needs none, and a rejected
 * request causes none.
 * @returns to be called with each request and its response
 */
function createBufferRelease(): (request: Request, response: Response) => void {
  let bytes = 0;
  return ({ method, headers }, { status }) => {
    if (method !== "PATCH" || status !== 204) return;
    bytes += Number(headers.get("Content-Length") ?? 0);
    if (bytes < BYTES_PER_COLLECTION) return;
    bytes = 0;
    // After the response was sent.
    setTimeout(() => gc(true), 0);
  };
}
