import { afterAll, beforeAll, describe, expect } from "bun:test";
import { startBunRuntime } from "../runtime/bun-runtime";
import { limitStatements } from "../runtime/d1-limits";
import { RUNTIME, type RuntimeOptions, type TestRuntime } from "../runtime/runtime";
import { startWorkerdRuntime } from "../runtime/workerd";
import { requireDescribed } from "./described";

const STARTS = {
  async bun(options?: RuntimeOptions) {
    const runtime = await startBunRuntime(options);
    limitStatements(runtime.deps.db);
    return runtime;
  },
  workerd: startWorkerdRuntime,
};

/** A response; the body is parsed if it is JSON. */
export type ApiResponse = {
  status: number;
  headers: Headers;
  // Untyped: each expectation states the type it expects.
  body: ReturnType<typeof JSON.parse>;
  text: string;
};

/** One client with its own cookie, like a browser. */
export type Client = {
  cookie: string;
  /** The cookie that only the calls to sign in get. */
  knownBrowser(): string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  put(path: string, body?: unknown): Promise<ApiResponse>;
  patch(path: string, body?: unknown): Promise<ApiResponse>;
  delete(path: string): Promise<ApiResponse>;
  /** The bytes at a path. */
  bytes(path: string): Promise<Uint8Array>;
};

export type SignedUp = Client & { id: number; email: string; password: string; workspaceId: number };

export type Api = Pick<
  TestRuntime,
  | "setClock"
  | "finishBackgroundWork"
  | "mails"
  | "texts"
  | "setMail"
  | "logs"
  | "storedFiles"
  | "select"
  | "execute"
  | "fetch"
> & {
  /** Runs the jobs at each of these times, or now, and what they leave to the background. */
  runJobs(...times: string[]): Promise<void>;
  readonly runtime: TestRuntime["name"];
  readonly origin: string;
  anonymous(): Client;
  /** A new signed-in account with its first workspace. Its address is proved, though not verified, unless told otherwise. */
  signUp(options?: { proved?: boolean }): Promise<SignedUp>;
};

let accounts = 0;

/** Sent as they are; anything else is sent as JSON. */
const RAW_BODIES = [FormData, ReadableStream, Uint8Array, Blob];

type Declare = (api: Api) => void;

/** Declares the tests on the runtime of this run: Bun with libSQL and a disk, or workerd with D1 and R2. */
export function describeApi(name: string, declare: Declare): void;
export function describeApi(name: string, options: RuntimeOptions, declare: Declare): void;
export function describeApi(name: string, ...given: [Declare] | [RuntimeOptions, Declare]): void {
  const [options, declare] = given.length === 2 ? given : [{}, ...given];
  describe(`${name} (${RUNTIME})`, () => {
    let runtime: TestRuntime;
    beforeAll(async () => {
      runtime = await STARTS[RUNTIME](options);
    });
    afterAll(async () => runtime.stop());
    declare(apiOf(() => runtime));
  });
}

function apiOf(runtime: () => TestRuntime): Api {
  const api: Api = {
    get runtime() {
      return runtime().name;
    },
    get origin() {
      return runtime().origin;
    },
    fetch: (request) => runtime().fetch(request),
    setClock: (time) => runtime().setClock(time),
    finishBackgroundWork: () => runtime().finishBackgroundWork(),
    async runJobs(...times) {
      for (const time of times.length > 0 ? times : [undefined]) {
        if (time) await api.setClock(time);
        await runtime().runJobs();
        await api.finishBackgroundWork();
      }
    },
    mails: () => runtime().mails(),
    texts: () => runtime().texts(),
    setMail: (state) => runtime().setMail(state),
    logs: () => runtime().logs(),
    storedFiles: () => runtime().storedFiles(),
    select: (statement) => runtime().select(statement),
    execute: (statement) => runtime().execute(statement),
    anonymous: () => createClient(api),
    async signUp({ proved = true } = {}) {
      const client = createClient(api);
      accounts += 1;
      const email = `person${accounts}@example.com`;
      const password = "a long password";
      const { status, body } = await client.post("/api/register", { email, password });
      expect(status).toBe(201);
      await api.execute(`update users set verified_by_owner = ${proved} where id = ${body.id}`);
      const workspaces = await client.get("/api/workspaces");
      return Object.assign(client, { id: body.id, email, password, workspaceId: workspaces.body[0].id });
    },
  };
  return api;
}

/** A client without a cookie for a server with this `fetch`. */
export function createClient(api: Pick<Api, "fetch" | "origin">): Client {
  let signInCookie = "";
  /** What a Worker with D1 gives whoever has changed something. */
  let bookmark = "";
  const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const given = new Headers(headers);
    const ownBookmark = !given.has("cookie") && bookmark;
    const cookies = [client.cookie, ownBookmark, /^\/api\/(login|auth\/)/.test(path) && signInCookie]
      .filter(Boolean)
      .join("; ");
    if (cookies) given.set("cookie", cookies);
    const raw = typeof body === "string" || RAW_BODIES.some((kind) => body instanceof kind);
    if (body !== undefined && !raw && !given.has("content-type"))
      given.set("content-type", "application/json");
    const sent = body === undefined || raw ? (body as BodyInit | undefined) : JSON.stringify(body);
    return api.fetch(
      new Request(`${api.origin}${path}`, { method, headers: given, body: sent, redirect: "manual" }),
    );
  };
  const client: Client = {
    cookie: "",
    knownBrowser: () => signInCookie,
    async send(method, path, body, headers) {
      const response = await request(method, path, body, headers);
      const set = Map.groupBy(response.headers.getSetCookie(), jarOf);
      client.cookie = mergeCookies(client.cookie, set.get("client") ?? []);
      signInCookie = mergeCookies(signInCookie, set.get("signIn") ?? []);
      bookmark = mergeCookies(bookmark, set.get("bookmark") ?? []);
      const text = await response.text();
      requireDescribed({ method, path }, { status: response.status, text, headers: response.headers });
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text ? JSON.parse(text) : null,
      };
    },
    get: (path, headers) => client.send("GET", path, undefined, headers),
    post: (path, body) => client.send("POST", path, body),
    put: (path, body) => client.send("PUT", path, body),
    patch: (path, body) => client.send("PATCH", path, body),
    delete: (path) => client.send("DELETE", path),
    bytes: async (path) => new Uint8Array(await (await request("GET", path)).arrayBuffer()),
  };
  return client;
}

/** A program that has only the token. */
export function programOf(
  api: Pick<Api, "anonymous">,
  token: string,
  headers: Record<string, string> = {},
): Client {
  const client = api.anonymous();
  const send: Client["send"] = (method, path, body, more) =>
    client.send(method, path, body, { authorization: `Bearer ${token}`, ...headers, ...more });
  return {
    ...client,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

function jarOf(cookie: string): "client" | "signIn" | "bookmark" {
  if (/^(?:__Host-)?bookmark=/.test(cookie)) return "bookmark";
  return /path=\/api\/(login|auth)/i.test(cookie) ? "signIn" : "client";
}

/** The Cookie header after a response: set cookies are stored, expired ones dropped. */
function mergeCookies(before: string, set: string[]): string {
  const jar = new Map(
    before.split("; ").flatMap((pair) => (pair ? [[pair.split("=", 1)[0] ?? "", pair]] : [])),
  );
  for (const cookie of set) {
    const [pair = ""] = cookie.split(";");
    const name = pair.split("=", 1)[0] ?? "";
    if (/max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, pair);
  }
  return [...jar.values()].join("; ");
}
