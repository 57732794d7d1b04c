import { serve } from "bun";

/** The response in the server's place; undefined lets the request through. */
type Answer = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** A proxy that responds itself when told to, as routers, portals and firewalls do. */
export type AnsweringProxy = {
  url: string;
  /** From now on, requests get this response. Without it, all reach the server. */
  answer: (answer?: Answer) => void;
  /** Sends requests to this server. */
  forwardTo: (url: string) => void;
  /** The server's own response. */
  forward: (request: Request) => Promise<Response>;
  stop: () => Promise<void>;
};

export function startAnsweringProxy(): AnsweringProxy {
  let answer: Answer | undefined;
  let server = "";
  const forward = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    return fetch(server + pathname + search, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      decompress: false,
    });
  };
  const proxy = serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => (await answer?.(request)) ?? forward(request),
  });
  return {
    url: `http://localhost:${proxy.port}`,
    answer(given) {
      answer = given;
    },
    forwardTo(url) {
      server = url;
    },
    forward,
    stop: () => proxy.stop(true),
  };
}
