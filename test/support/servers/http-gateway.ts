export type GatewayRequest = { method: string; path: string; headers: Headers; body: string };

export type TestGateway = {
  url: string;
  requests: GatewayRequest[];
  /** The response to the next requests. */
  respond: () => Response | Promise<Response>;
  stop(): Promise<void>;
};

/** A local HTTP server in place of a mail or SMS gateway, which records requests. */
export function startGateway(): TestGateway {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const { method, headers } = request;
      gateway.requests.push({ method, path: pathname, headers, body: await request.text() });
      return gateway.respond();
    },
  });
  const gateway: TestGateway = {
    url: `http://127.0.0.1:${server.port}`,
    requests: [],
    respond: () => Response.json({ id: "1" }, { status: 201 }),
    stop: () => server.stop(true),
  };
  return gateway;
}
