import { afterAll, beforeAll, expect, test } from "bun:test";
import { openLibsql } from "../../db/libsql";
import { createDatabaseRateLimiter } from "../../worker/adapters/shared/rate-limiters";
import { createApp } from "../../worker/app";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { startBunRuntime } from "../support/runtime/bun-runtime";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
beforeAll(async () => {
  runtime = await startBunRuntime();
});
afterAll(() => runtime.stop());

/** The app with a database that fails in this way. */
async function appOn(url: string) {
  const { db } = await openLibsql({ url });
  const log = createMemoryLogger();
  const rateLimiter = createDatabaseRateLimiter(db, runtime.deps.clock);
  return { app: createApp({ ...runtime.deps, db, log, rateLimiter }), log };
}

test("while the database server is unreachable, every call that needs it returns 503 with a message, and the log has the reason", async () => {
  const { app, log } = await appOn("http://127.0.0.1:1");
  const routes = new Set(
    app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`),
  );
  const unavailable: string[] = [];
  for (const route of routes) {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(/:\w*[iI]d\b/g, "1").replace(/:\w+/g, "x");
    const body = method === "GET" ? undefined : "{}";
    const headers = { cookie: "session=some-token", "content-type": "application/json" };
    const response = await app.request(path, { method, headers, body }, { clientAddress: "203.0.113.7" });
    const text = await response.text();
    expect([route, response.status === 500]).toEqual([route, false]);
    if (response.status !== 503) continue;
    unavailable.push(route);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(JSON.parse(text)).toMatchObject({ code: "unavailable", message: expect.stringMatching(/\w \w/) });
  }
  for (const route of ["GET /api/health", "GET /api/ready", "GET /api/user", "GET /api/requests"])
    expect(unavailable).toContain(route);
  expect(unavailable.length).toBeGreaterThan(routes.size / 2);
  const warnings = log.entries.filter(({ event }) => event === "request rejected");
  expect(warnings).toHaveLength(unavailable.length);
  for (const { level, fields } of warnings)
    expect([level, fields.status, fields.reason !== ""]).toEqual(["warn", 503, true]);
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([]);
  expect(JSON.stringify(log.entries)).not.toContain("some-token");
});

test.each([
  ["a gateway in front of it fails", () => new Response("bad gateway", { status: 502 })],
  ["it breaks the connection", () => new Response(new ReadableStream({ pull: (body) => body.error() }))],
])("returns 503 as well if %s", async (_how, response) => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: response, error: response });
  const { app } = await appOn(`http://127.0.0.1:${server.port}`);
  const { status } = await app.request("/api/health", {}, { clientAddress: "203.0.113.7" });
  expect(status).toBe(503);
  await server.stop(true);
});
