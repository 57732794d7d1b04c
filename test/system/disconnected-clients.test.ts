import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type Client, createClient } from "../support/api/client";
import { linkOf, sendEnvelope } from "../support/api/envelopes";
import { CHUNK_TYPE, createTus, locationOf, TUS } from "../support/api/tus";
import { spawnServer } from "../support/processes/bun-process";
import { startInstance } from "../support/runtime/workerd";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

type Line = { level: string; event: string; route?: string; status?: number };
type Site = {
  /** Where a socket reaches it, and the headers that it needs. */
  port: number;
  headers: Record<string, string>;
  client(): Client;
  lines(): Promise<Line[]>;
};

const METRICS_TOKEN = "a-token-of-enough-characters";
const folder = makeFolder();
const server = spawnServer({ DATA_DIR: folder, METRICS_TOKEN, UNVERIFIED_ENVELOPES: "100" });
let output = "";

async function startBun(): Promise<Site> {
  const origin = await server.url;
  return {
    port: Number(new URL(origin).port),
    headers: { host: new URL(origin).host },
    client: () => createClient({ fetch, origin }),
    async lines() {
      server.child.kill("SIGTERM");
      output ||= await server.output;
      return output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    },
  };
}

async function startWorkerd(): Promise<Site> {
  const { origin, id, publicUrl, fetch: send, command } = await startInstance();
  return {
    port: Number(new URL(origin).port),
    headers: { host: new URL(origin).host, "x-test-instance": id },
    client: () => createClient({ fetch: send, origin: publicUrl }),
    async lines() {
      const entries: { level: string; event: string; fields: object }[] = await command("logs");
      return entries.map(({ level, event, fields }) => ({ level, event, ...fields }));
    },
  };
}

/** Sends the beginning of a request, and then resets or half-closes the connection. */
function abandon(
  { port, headers }: Site,
  request: { method: string; path: string; headers: Record<string, string>; body: string },
  how: "reset" | "half-close",
): Promise<void> {
  const all = Object.entries({ ...headers, ...request.headers }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${request.path} HTTP/1.1`, ...all, "", ""].join("\r\n");
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head + request.body, () => {
        // The server has begun to read the body.
        setTimeout(() => (how === "reset" ? socket.resetAndDestroy() : socket.end()), 100);
      });
    });
    socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => done());
  });
}

afterAll(async () => {
  server.child.kill("SIGKILL");
});

const JSON_TYPE = { "content-type": "application/json" };

describe.each([
  ["Bun", startBun],
  ["workerd", startWorkerd],
] as const)("on %s", (name, start) => {
  test("a client that disconnects while it sends a body causes no error, whatever the body", async () => {
    const site = await start();
    const owner = site.client();
    await owner.post("/api/register", { email: "owner@example.com", password: "long enough" });
    const envelope = await sendEnvelope(owner);
    const link = linkOf(envelope);
    const other = await sendEnvelope(owner, { documents: [{ name: "Contract", multiple: true }] });
    const tus = createTus({ anonymous: site.client }, other);
    const newUpload = async () => locationOf(await tus.create(other.documents[0].id, "a.pdf", 1000));
    const signedIn = { cookie: owner.cookie };
    const sized = { "content-length": "1000" };
    const chunked = { "transfer-encoding": "chunked" };
    const half = { method: "POST", body: '{"email":' };
    const requests = [
      { ...half, path: "/api/login", headers: { ...JSON_TYPE, ...sized } },
      { ...half, path: "/api/login", headers: { ...JSON_TYPE, ...chunked }, body: '9\r\n{"email":\r\n' },
      { ...half, path: "/api/password/forgot", headers: { ...JSON_TYPE, ...sized }, body: "" },
      { ...half, path: "/api/requests", headers: { ...JSON_TYPE, ...sized, ...signedIn } },
      {
        ...half,
        path: "/api/contacts",
        headers: { ...JSON_TYPE, ...sized, ...signedIn, "idempotency-key": "half" },
      },
      { ...half, path: `${link}/submit`, headers: { ...JSON_TYPE, ...sized } },
      {
        ...half,
        path: link,
        headers: { ...sized, "content-type": "multipart/form-data; boundary=b" },
        body: "--b\r\n",
      },
      {
        ...half,
        path: "/api/user/avatar",
        headers: { ...sized, ...signedIn, "content-type": "multipart/form-data; boundary=b" },
        body: "--b\r\n",
      },
    ];
    for (const how of ["reset", "half-close"] as const) {
      for (const request of requests) await abandon(site, request, how);
      const path = await newUpload();
      const headers = { ...sized, ...TUS, "content-type": CHUNK_TYPE, "upload-offset": "0" };
      await abandon(site, { method: "PATCH", path, headers, body: "%PDF-1.4" }, how);
    }
    const count = 2 * (requests.length + 1);
    if (name === "Bun") {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const interrupted = await waitFor("the metrics", async () => {
        const text = await (await fetch(`http://127.0.0.1:${site.port}/metrics`, { headers })).text();
        const counted = text.matchAll(/^doculopes_http_requests_total\{.*status="499"\} (\d+)$/gm);
        const sum = [...counted].reduce((total, [, count]) => total + Number(count), 0);
        return sum >= count && sum;
      });
      expect(interrupted).toBe(count);
    } else
      await waitFor("the log", async () => {
        const ended = (await site.lines()).filter(({ status }) => status === 499);
        return ended.length >= count;
      });
    const lines = await site.lines();
    expect(lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
    const counts = Map.groupBy(
      lines.filter(({ status = 0 }) => status >= 400),
      ({ route, status }) => `${status} ${route}`,
    );
    expect([...counts].map(([line, { length }]) => `${length} x ${line}`)).toEqual([
      "4 x 499 /api/login",
      "2 x 499 /api/password/forgot",
      "2 x 499 /api/requests",
      "2 x 499 /api/contacts",
      "2 x 499 /api/submissions/:token/submit",
      "2 x 499 /api/submissions/:token",
      "2 x 499 /api/user/avatar",
      "2 x 499 /api/submissions/:token/uploads/:id",
    ]);
  }, 300_000);
});
