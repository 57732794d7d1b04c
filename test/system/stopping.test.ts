import { Database as SQLite } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { readRevision } from "../../worker/adapters/bun/revision";
import { inTime } from "../../worker/adapters/bun/stop";
import { SERVER } from "../../worker/cli/build";
import { nameVersion } from "../../worker/lib/version";
import { spawnServer, spawnServerWith } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

// Each test starts its own server, on a machine of unknown speed.
setDefaultTimeout(300_000);

const folder = makeFolder();

const statusOf = (url: string) =>
  fetch(url, { headers: { connection: "close" } }).then(
    ({ status }) => status,
    () => "closed" as const,
  );

const eventsOf = (output: string) =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

test("after SIGTERM a server is not ready for STOP_DELAY, then closes its port and logs each step", async () => {
  // Long enough that a machine which is busy for seconds still sees what is between the signal and the end.
  const delaySeconds = 8;
  const server = spawnServer({ DATA_DIR: join(folder, "delay"), STOP_DELAY: String(delaySeconds) });
  const url = await server.url;
  const statuses = () =>
    Promise.all(["ready", "live", "health"].map((name) => statusOf(`${url}/api/${name}`)));
  await waitFor("a server that is ready", async () => (await statuses())[0] === 200);
  const signalled = performance.now();
  server.child.kill("SIGTERM");
  const stopping = await waitFor("a server that is not ready", async () => {
    const now = await statuses();
    return now[0] === 200 ? undefined : now;
  });
  expect(stopping).toEqual([503, 200, 200]);
  expect(await server.child.exited).toBe(0);
  expect(performance.now() - signalled).toBeGreaterThan(delaySeconds * 1000 - 100);
  expect(await statusOf(`${url}/api/live`)).toBe("closed");
  const events = eventsOf(await server.output);
  const own = events.filter(({ event }) => ["stopping", "draining", "drained", "aborted"].includes(event));
  expect(own).toEqual([
    expect.objectContaining({ event: "stopping", delaySeconds }),
    expect.objectContaining({ event: "draining", requests: 0, tasks: expect.any(Number) }),
    expect.objectContaining({ event: "drained", ms: expect.any(Number) }),
  ]);
});

test("a server exits even if another process keeps its database locked", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "locked") });
  await server.url;
  const other = new SQLite(join(folder, "locked", "doculopes.db"));
  other.run("BEGIN IMMEDIATE");
  server.child.kill("SIGTERM");
  await server.child.exited;
  other.close();
  expect(eventsOf(await server.output).map(({ event }) => event)).toContain("drained");
});

test("a shutdown step that never ends is abandoned after its time limit and logged", async () => {
  const lines: unknown[] = [];
  const say = (...line: unknown[]) => void lines.push(line);
  await inTime("database", new Promise(() => {}), { info: say, warn: say, error: say }, 20);
  await inTime("connections", Promise.resolve(), { info: say, warn: say, error: say }, 20);
  expect(lines).toEqual([["shutdown step timed out", { step: "database", ms: 20 }]]);
});

test("under `npx -y bun start`, whose shell passes no signal on, the server stops when that shell is gone", async () => {
  const pidFile = join(folder, "pid");
  // npx starts a shell, which starts `bun start`, which starts the server.
  const start = `"$0" -e 'Bun.spawnSync(["${process.execPath}", "${SERVER}"], { stdio: ["ignore", "inherit", "inherit"] })'`;
  const server = spawnServerWith(["sh", "-c", `echo $$ > "${pidFile}"; ${start}; true`, process.execPath], {
    DATA_DIR: join(folder, "npx"),
    npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js",
  });
  await server.url;
  process.kill(Number(await file(pidFile).text()), "SIGTERM");
  expect(eventsOf(await server.output).at(-1)).toMatchObject({ event: "drained" });
});

test("LOG_LEVEL drops request lines, and LOG_FORMAT=text writes readable lines", async () => {
  const quiet = spawnServer({ DATA_DIR: join(folder, "quiet"), LOG_LEVEL: "error" });
  expect(await statusOf(`${await quiet.url}/api/live`)).toBe(200);
  quiet.child.kill("SIGTERM");
  expect((await quiet.output).split("\n").slice(1)).toEqual([""]);

  const text = spawnServer({ DATA_DIR: join(folder, "text"), LOG_FORMAT: "text" });
  expect(await statusOf(`${await text.url}/api/live`)).toBe(200);
  text.child.kill("SIGTERM");
  expect(await text.output).toMatch(
    /^\d\d:\d\d:\d\d info {2}request requestId=\S+ method=GET route=\/api\/live status=200 ms=\d+ client=127\.0\.0\.1$/m,
  );
});

test("the start line has the version with its commit, the public URL and the address it listens on", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "line"), PUBLIC_URL: "http://docs.example.com" });
  await server.url;
  server.child.kill("SIGTERM");
  const [line] = (await server.output).split("\n").filter((text) => text.startsWith("Doculopes"));
  expect(line).toStartWith(
    `Doculopes ${nameVersion(readRevision())} runs at http://docs.example.com (listens on 127.0.0.1:`,
  );
});

/** The filter's patterns as fail2ban reads them. */
async function failPatterns(): Promise<RegExp[]> {
  const filter = await file(
    new URL("../../worker/deploy/fail2ban/doculopes.conf", import.meta.url).pathname,
  ).text();
  const request = /^_request = (.*)$/m.exec(filter)?.[1] ?? "";
  return [...filter.matchAll(/%\(_request\)s(.*)$/gm)].map(
    ([, rest = ""]) => new RegExp((request + rest).replaceAll("<SUBNET>", '(?<client>[^"]+)')),
  );
}

test("fail2ban's filter finds wrong passwords and unknown links, by the address from X-Forwarded-For", async () => {
  const server = spawnServer({ DATA_DIR: join(folder, "fail2ban"), TRUSTED_PROXIES: "1" });
  const url = await server.url;
  const send = (client: string, path: string, body?: object) =>
    fetch(url + path, {
      method: body ? "POST" : "GET",
      headers: { "x-forwarded-for": `6.6.6.6, ${client}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
  const account = { email: "ada@example.com", password: "long enough" };
  await send("203.0.113.1", "/api/register", account);
  await send("203.0.113.2", "/api/login", account);
  await send("203.0.113.3", "/api/login", { ...account, password: "guess" });
  await send("2001:db8::5", '/api/submissions/guess","client":"9.9.9.9"');
  server.child.kill("SIGTERM");
  const lines = (await server.output).split("\n");
  const patterns = await failPatterns();
  expect(patterns).toHaveLength(2);
  const found = patterns.flatMap((pattern) =>
    lines.flatMap((line) => pattern.exec(line)?.groups?.client ?? []),
  );
  expect(found).toEqual(["203.0.113.3", "2001:db8:0:0::/64"]);
});
