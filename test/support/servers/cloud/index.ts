import { configuredProviders } from "../../../../worker/lib/sign-in-providers";
import { createDrive } from "./drive";
import { CLIENT } from "./grants";
import { createGraph } from "./graph";

/** A request that the server answers otherwise than usually, a number of times. */
type Fault = {
  path: RegExp;
  method?: string;
  times: number;
  /** Whether the request is done nevertheless, and only its response lost. */
  after: boolean;
  respond: () => Response;
};

/** Microsoft and Google as `PROVIDER_URL` reaches them. They check every header, and refuse as the real ones do. */
export function startCloudProviders({ latencyMs = 0 } = {}) {
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 120 },
    async fetch(request) {
      const url = new URL(request.url);
      if (latencyMs > 0) await Bun.sleep(latencyMs);
      requests.push(`${request.method} ${url.pathname}`);
      const fault = faults.find(
        ({ path, method = request.method, times }) =>
          times > 0 && method === request.method && path.test(url.pathname),
      );
      if (fault) fault.times -= 1;
      if (fault && !fault.after) {
        await request.bytes();
        return fault.respond();
      }
      const response = await answer(request, url);
      return fault ? fault.respond() : response;
    },
  });
  const origin = server.url.origin;
  const requests: string[] = [];
  const faults: Fault[] = [];
  const graph = createGraph(() => origin);
  const drive = createDrive(() => origin);

  async function answer(request: Request, url: URL): Promise<Response> {
    const [, host = "", ...rest] = url.pathname.split("/");
    const path = `/${rest.join("/")}`;
    const notFound = new Response("Not found", { status: 404 });
    if (host === "graph-upload") return graph.upload(request, rest[0] ?? "");
    if (host === "drive-upload") return drive.upload(request, rest[0] ?? "");
    if (host === "graph.microsoft.com" && path.startsWith("/v1.0/"))
      return graph.api(request, path.slice("/v1.0".length), url);
    if (host === "www.googleapis.com") return drive.api(request, path, url);
    if (host === "login.microsoftonline.com" && path === "/common/oauth2/v2.0/token")
      return graph.grants.redeem(request);
    if (host !== "oauth2.googleapis.com") return notFound;
    if (path === "/revoke") return drive.grants.revoke(request);
    return path === "/token" ? drive.grants.redeem(request) : notFound;
  }

  const variables = {
    PROVIDER_URL: origin,
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    MICROSOFT_ENTRA_ID_CLIENT_ID: CLIENT.id,
    MICROSOFT_ENTRA_ID_CLIENT_SECRET: CLIENT.secret,
  };
  return {
    ...{ graph, drive, requests, origin, variables },
    providers: configuredProviders(variables),
    /** Lets the next request at the path, or several, be answered so. */
    fail(
      path: RegExp,
      status: number,
      { times = 1, after = false, method, headers = {} }: FaultOptions = {},
    ): void {
      const respond = () =>
        Response.json({ error: { code: "failed", message: "made to fail" } }, { status, headers });
      faults.push({ path, times, after, respond, ...(method && { method }) });
    },
    stop: () => server.stop(true),
  };
}

type FaultOptions = {
  times?: number;
  after?: boolean;
  method?: string;
  headers?: Record<string, string>;
};

export type CloudProviders = ReturnType<typeof startCloudProviders>;
