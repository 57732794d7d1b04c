import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import { createClient } from "../support/api/client";
import { startBunRuntime } from "../support/runtime/bun-runtime";

test("one client address has at most a hundred concurrent uploads, without affecting others", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on" });
  const app = createApp(runtime.deps);
  let clientAddress = "203.0.113.1";
  const fetch = async (request: Request) => app.fetch(request, { clientAddress });
  const client = createClient({ fetch, origin: runtime.origin });
  await client.post("/api/register", { email: "many@example.com", password: "a long password" });

  /** An upload that stays open until it is ended, and then turns out to be empty. */
  const upload = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const response = client.send("POST", "/api/user/avatar", readable, headers);
    return { answer: response, end: () => writable.close() };
  };
  const hundred = Array.from({ length: 100 }, upload);
  const rejected = await upload().answer;
  expect([rejected.status, rejected.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await client.get("/api/user")).status).toBe(200);
  clientAddress = "203.0.113.2";
  const other = upload();
  for (const { end } of [...hundred, other]) await end();
  for (const { answer } of [...hundred, other]) expect((await answer).status).toBe(400);

  clientAddress = "203.0.113.1";
  const again = upload();
  await again.end();
  expect((await again.answer).status).toBe(400);
  await runtime.stop();
});

test("large bodies that arrive slowly count as uploads, and small ones do not", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on" });
  const app = createApp(runtime.deps);
  const fetch = async (request: Request) => app.fetch(request, { clientAddress: "203.0.113.3" });
  const client = createClient({ fetch, origin: runtime.origin });
  await client.post("/api/register", { email: "slow@example.com", password: "a long password" });

  const slowly = (method: string, path: string) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "application/json", "content-length": "1000000" };
    return { answer: client.send(method, path, readable, headers), end: () => writable.close() };
  };
  const calls: [method: string, path: string][] = [
    ["POST", "/api/contacts"],
    ["PATCH", "/api/user/profile"],
    ["PUT", "/api/templates/1"],
    ["POST", "/api/login"],
  ];
  const hundred = Array.from({ length: 25 }, () => calls.map((call) => slowly(...call))).flat();
  for (const call of calls) expect((await slowly(...call).answer).status).toBe(429);
  expect((await client.post("/api/contacts", { firstName: "Ada" })).status).toBe(201);
  for (const { end } of hundred) await end();
  for (const { answer } of hundred) expect((await answer).status).toBe(400);
  expect((await client.get("/api/contacts")).status).toBe(200);
  await runtime.stop();
});
