import { type Server, serve } from "bun";
import { causes } from "../../errors";
import { apiHeaders } from "../../lib/security-headers";
import type { Logger } from "../../ports/logger";
import { countedAddress, forwardedAddress } from "../shared/client-address";
import { compressJson } from "./compress-json";
import { errorCode } from "./disk-errors";
import { StartError } from "./start-error";

/** A connection on which nothing happens for so long is closed; uploads have limits of their own. */
const IDLE_SECONDS = 30;
const IN_THE_APP = ["/api", "/api/*", "/uploads", "/uploads/*"];

type Client = { clientAddress: string; allowSlowBody: () => void };

/** Who answers: the app for the interface and the files, the site for everything else. */
export type Handlers = {
  app: (request: Request, client: Client) => Response | Promise<Response>;
  site: (request: Request) => Response;
};

/**
 * Listens, and answers with what `prepare` makes of the port that was really given.
 * @throws StartError where the address is taken or not this machine's
 */
export function listen(
  { host, port, proxies }: { host: string; port: number; proxies: number },
  log: Logger,
  prepare: (port: number) => Handlers,
): Server<undefined> {
  let handlers: Handlers;
  try {
    const server: Server<undefined> = serve({
      hostname: host,
      port,
      // Bun shares a port between processes where this is left out and `development` is off.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      // The app limits each kind of body itself, with a sentence; Bun would only cut the connection.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      routes: Object.fromEntries(
        IN_THE_APP.map((path) => [
          path,
          async (request: Request) =>
            compressJson(request, await handlers.app(request, clientOf(request, server, proxies))),
        ]),
      ),
      fetch: (request) => handlers.site(request),
      error: (error) => failure(error, log),
    });
    // Nothing is answered before this function has returned.
    handlers = prepare(server.port ?? port);
    return server;
  } catch (error) {
    throw errorCode(error) ? new StartError(whyNot(errorCode(error), host, port)) : error;
  }
}

function clientOf(request: Request, server: Server<undefined>, proxies: number): Client {
  const peer = server.requestIP(request)?.address ?? "unknown";
  const forwarded = request.headers.get("X-Forwarded-For");
  return {
    clientAddress: countedAddress(forwardedAddress(forwarded, proxies) ?? peer),
    allowSlowBody: () => server.timeout(request, 0),
  };
}

/** For what the app itself did not turn into an answer. */
function failure(error: Error, log: Logger): Response {
  log.error("request failed outside the app", { error: causes(error).trim() });
  const body = { message: "Something went wrong on our side", code: "internal" };
  return Response.json(body, { status: 500, headers: apiHeaders({ https: false }) });
}

function whyNot(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is already in use; stop what uses it or choose another with PORT`;
  if (code === "EACCES") return `Port ${port} needs more rights than this user has; choose another with PORT`;
  return `HOST is ${JSON.stringify(host)}, but cannot be listened on (${code})`;
}
