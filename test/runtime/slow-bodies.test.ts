import { expect, spyOn, test } from "bun:test";
import { listen } from "../../worker/adapters/bun/listen";
import { createMemoryLogger } from "../support/memory/memory-logger";

test("a connection has an idle timeout again after a slow body, also after a failure", async () => {
  const server = listen({ host: "127.0.0.1", port: 0, proxies: 0 }, createMemoryLogger(), () => ({
    async app(request, client) {
      const { pathname } = new URL(request.url);
      if (pathname === "/api/other") return new Response();
      client.allowSlowBody();
      if (pathname === "/api/failing") throw new Error("Failed");
      return new Response(await request.text());
    },
    site: () => new Response(),
  }));
  const timeout = spyOn(server, "timeout");
  const timeoutsOf = async (path: string) => {
    timeout.mockClear();
    const response = await fetch(new URL(path, server.url), { method: "POST", body: "a file" });
    return [response.status, timeout.mock.calls.map(([, seconds]) => seconds)];
  };
  expect(await timeoutsOf("/api/upload")).toEqual([200, [0, 30]]);
  expect(await timeoutsOf("/api/failing")).toEqual([500, [0, 30]]);
  expect(await timeoutsOf("/api/other")).toEqual([200, []]);
  await server.stop(true);
});
