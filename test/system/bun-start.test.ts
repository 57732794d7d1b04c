import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { connect } from "bun";
import { version } from "../../package.json";
import { readRevision } from "../../worker/adapters/bun/revision";
import { generateApiDescription } from "../../worker/cli/api-description";
import { SERVER } from "../../worker/cli/build";
import { freePort } from "../../worker/cli/cloudflare/wrangler";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { spawnServer, spawnServerWith, spawnUnreadServer } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";

// Each test starts its own servers, on a machine of unknown speed.
setDefaultTimeout(300_000);

const folder = makeFolder();
const dataDir = (name: string) => join(folder, name);

/** Of sysexits.h: a supervisor need not start the server again. */
const INVALID_CONFIGURATION = 78;

async function endsAtOnce(variables: Record<string, string>, code = 1): Promise<string> {
  const { child, output, problems } = spawnServer(variables);
  expect(await child.exited).toBe(code);
  expect(await output).toBe("");
  const lines = (await problems).split("\n");
  expect(lines).toEqual([expect.any(String), ""]);
  return lines[0] ?? "";
}

test("a server prints its address, responds, and stops cleanly on SIGTERM", async () => {
  const server = spawnServer({ DATA_DIR: dataDir("clean") });
  const url = await server.url;
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
  const health = await fetch(`${url}/api/health`);
  expect(await health.json()).toEqual({ status: "ok", version, ...readRevision() });
  const page = await fetch(`${url}/auth`);
  expect(page.headers.get("content-type")).toStartWith("text/html");
  const { servers, ...described } = await (await fetch(`${url}/api/openapi.json`)).json();
  expect([servers, described]).toEqual([[{ url }], (await generateApiDescription()).document]);
  expect(await (await fetch(`${url}/api/docs`)).text()).toContain("/api/requests/{id}/review");

  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  expect(await server.problems).toBe("");
});

test("a request without a valid Host header, such as a health check over HTTP/1.0, is answered like any other, one with several is rejected", async () => {
  const server = spawnServer({ DATA_DIR: dataDir("health") });
  const { port } = new URL(await server.url);
  const answered = (head: string) =>
    new Promise<string>((resolve) => {
      connect({
        hostname: "127.0.0.1",
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(`${head}\r\n\r\n`),
          data(socket, bytes) {
            resolve(bytes.toString().slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
            socket.end();
          },
        },
      });
    });
  const invalid = ["a:99999", "[::1", "xn--a", "a..b", "1.2.3.999"];
  for (const head of ["/ HTTP/1.0", ...invalid.map((host) => `/ HTTP/1.1\r\nHost: ${host}`)]) {
    expect([head, await answered(`GET /api/health${head.slice(1)}`)]).toEqual([head, "200"]);
    expect([head, await answered(`GET ${head}`)]).toEqual([head, "200"]);
    expect([head, await answered(`GET /missing${head.slice(1)}`)]).toEqual([head, "404"]);
  }
  for (const hosts of ["a\r\nHost: b", "a\r\nhost: a", "a, b", "a b", "a@b", "a/b", "a\\b"])
    for (const path of ["/api/health", "/api/user", "/", "/auth", "/missing"])
      expect([hosts, await answered(`GET ${path} HTTP/1.1\r\nHost: ${hosts}`)]).toEqual([hosts, "400"]);
  for (const target of ["a:1", ":99999"])
    expect([target, await answered(`CONNECT ${target} HTTP/1.0`)]).toEqual([target, "405"]);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
});

test("Ctrl-C, which arrives twice under `bun run`, stops it cleanly too", async () => {
  const server = spawnServer({ DATA_DIR: dataDir("interrupted") });
  await server.url;
  server.child.kill("SIGINT");
  server.child.kill("SIGINT");
  expect(await server.child.exited).toBe(0);
});

test("a request that is running at SIGTERM still gets its response", async () => {
  const server = spawnServer({ DATA_DIR: dataDir("busy") });
  const url = await server.url;
  // The password hash takes a tenth of a second or more.
  const response = fetch(`${url}/api/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "grace@example.com", password: "long enough" }),
  });
  // Answered after the registration was received: a connection pool keeps the order.
  await fetch(`${url}/api/health`);
  server.child.kill("SIGTERM");
  expect((await response).status).toBe(201);
  expect(await server.child.exited).toBe(0);
  const db = new Database(join(dataDir("busy"), "doculopes.db"), { readonly: true });
  expect(db.query("select email from users").all()).toEqual([{ email: "grace@example.com" }]);
  db.close();
});

test("a second start finds the data of the first", async () => {
  const variables = { DATA_DIR: dataDir("again") };
  const first = spawnServer(variables);
  const account = { email: "ada@example.com", password: "long enough" };
  const post = (url: string, path: string) =>
    fetch(url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(account),
    });
  expect((await post(await first.url, "/api/register")).status).toBe(201);
  // No graceful stop: acknowledged data must survive anyway.
  first.child.kill("SIGKILL");
  await first.child.exited;

  const second = spawnServer(variables);
  const url = await second.url;
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  expect((await post(url, "/api/login")).status).toBe(200);
  second.child.kill("SIGTERM");
  await second.child.exited;
});

test("two servers that start concurrently on one database both serve", async () => {
  const variables = { DATA_DIR: dataDir("shared") };
  const servers = [spawnServer(variables), spawnServer(variables)];
  for (const { url } of servers) expect((await fetch(`${await url}/api/health`)).status).toBe(200);
  for (const { child } of servers) child.kill("SIGTERM");
  expect(await Promise.all(servers.map(({ child }) => child.exited))).toEqual([0, 0]);
});

test("a start on a port in use ends with one line, and for good", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here first") });
  const line = await endsAtOnce({ PORT: String(taken.port), DATA_DIR: dataDir("taken") }, 78);
  expect(line).toBe(
    `Port ${taken.port} on 127.0.0.1 is already in use; stop what uses it or choose another with PORT`,
  );
  await taken.stop(true);
});

test("a second server does not share the port of the first", async () => {
  const first = spawnServer({ DATA_DIR: dataDir("first") });
  const { port } = new URL(await first.url);
  expect(await endsAtOnce({ PORT: port, DATA_DIR: dataDir("second") }, 78)).toStartWith(`Port ${port} on`);
  first.child.kill("SIGTERM");
  await first.child.exited;
});

test("a DATA_DIR that cannot be written to ends the start with one line", async () => {
  await Bun.write(dataDir("a-file"), "");
  const path = join(dataDir("a-file"), "data");
  const line = await endsAtOnce({ DATA_DIR: path });
  expect(line).toBe(
    `DATA_DIR is ${JSON.stringify(path)}, but cannot be written to (ENOTDIR); set it to a folder that this user can write to`,
  );
});

test("an invalid variable ends the start with its name, its value and the accepted values", async () => {
  expect(await endsAtOnce({ PORT: "http" }, INVALID_CONFIGURATION)).toBe(
    'PORT is "http", but must be a whole number from 0 to 65535',
  );
  expect(await endsAtOnce({ RATE_LIMITS: "maybe" }, INVALID_CONFIGURATION)).toBe(
    'RATE_LIMITS is "maybe", but must be “on” or “off”',
  );
  expect(await endsAtOnce({ CLAMAV_URL: "http://127.0.0.1:3310" }, INVALID_CONFIGURATION)).toBe(
    'CLAMAV_URL is "http://127.0.0.1:3310", but must be “tcp://host:port”',
  );
  expect(await endsAtOnce({ SUPPORT_EMAIL: "nobody" }, INVALID_CONFIGURATION)).toBe(
    'SUPPORT_EMAIL is "nobody", but must be “Name <address>” or an address',
  );
  expect(await endsAtOnce({ TWILIO_FROM: "+15550001111" }, INVALID_CONFIGURATION)).toStartWith(
    "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN must be set too",
  );
});

test("an error at the start shows no credentials", async () => {
  const secrets = {
    SMTP_URL: [
      "smpt://user:s3cret@mail.example.com",
      "user:s3cret@mail.example.com",
      "smtp:user:s3cret@host",
    ],
    DATABASE_URL: ["postgres://user:s3cret@db.example.com", "s3cret", "libsql//user:s3cret@host"],
    S3_ENDPOINT: ["ftp://user:s3cret@s3.example.com"],
    CLAMAV_URL: ["tcp://user:s3cret@host:3310"],
    RESEND_API_URL: ["user:s3cret"],
  };
  for (const [name, values] of Object.entries(secrets))
    for (const value of values) {
      const line = await endsAtOnce({ [name]: value, DATA_DIR: dataDir("secret") }, INVALID_CONFIGURATION);
      expect(line).toMatch(new RegExp(`^${name} (?:is|must be) `));
      expect(line).not.toContain("s3cret");
    }
  const line = await endsAtOnce({
    DATABASE_URL: "http://user:s3cret@127.0.0.1:1/?authToken=s3cret",
    DATA_DIR: dataDir("secret"),
  });
  expect(line).toStartWith("The database http://…@127.0.0.1:1/ cannot be used");
  expect(line).not.toContain("s3cret");
});

test("HOST=0.0.0.0 without PUBLIC_URL is reported at the start, with advice and the setup link", async () => {
  const server = spawnServer({ HOST: "0.0.0.0", DATA_DIR: dataDir("open") });
  const url = await server.url;
  const rejected = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { Origin: "http://docs.lan" },
  });
  expect(rejected.status).toBe(403);
  const register = (setupToken?: string) =>
    fetch(`${url}/api/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "long enough", setupToken }),
    });
  expect((await register()).status).toBe(403);
  const findings = await runDoctor({ HOST: "0.0.0.0", DATA_DIR: dataDir("open"), PORT: new URL(url).port });
  const { advice = "" } = findings.find(({ text }) => text === "there is no account yet") ?? {};
  const [link = "none"] = /http:\S+/.exec(advice) ?? [];
  expect((await register(link.split("/").at(-1))).status).toBe(201);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const lines = (await server.output).split("\n").filter((line) => line.startsWith("{"));
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "warn");
  expect(warnings).toEqual([
    expect.objectContaining({ event: "no account yet", reason: `Create the first one at ${link}` }),
    expect.objectContaining({
      event: "PUBLIC_URL is not set",
      reason: expect.stringMatching(/HOST is 0\.0\.0\.0.*localhost.*Set PUBLIC_URL/),
    }),
    expect.objectContaining({
      event: "cross-site request rejected",
      origin: "http://docs.lan",
      expected: expect.stringContaining(url),
    }),
  ]);
});

test("a public server without an account logs the link to create the first one, and doctor shows the same", async () => {
  const PORT = String(await freePort());
  const variables = { PUBLIC_URL: "https://docs.example.com", DATA_DIR: dataDir("public") };
  const server = spawnServer({ ...variables, PORT });
  await server.url;
  const register = (setupToken?: string) =>
    fetch(`http://127.0.0.1:${PORT}/api/register`, {
      method: "POST",
      headers: { Origin: variables.PUBLIC_URL, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "long enough", setupToken }),
    });
  expect((await register()).status).toBe(403);
  const findings = await runDoctor({ ...variables, PORT: "0" });
  const { advice = "" } = findings.find(({ text }) => text === "there is no account yet") ?? {};
  const [link = ""] = /https:\S+/.exec(advice) ?? [];
  expect((await register(link.split("/").at(-1))).status).toBe(201);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const lines = (await server.output).split("\n");
  expect(lines.filter((line) => line.includes(link))).toEqual([
    expect.stringContaining('"event":"no account yet"'),
  ]);
});

test("a HOST of another machine ends the start with one line", async () => {
  const line = await endsAtOnce({ HOST: "192.0.2.1", DATA_DIR: dataDir("host") });
  expect(line).toBe('HOST is "192.0.2.1", but this machine cannot listen on it (EADDRNOTAVAIL)');
});

test("a file that is not a database ends the start with one line", async () => {
  const path = dataDir("broken.db");
  await Bun.write(
    path,
    "This is not a database, only a text that is long enough to be taken for one.".repeat(20),
  );
  const line = await endsAtOnce({ DATABASE_URL: `file:${path}`, DATA_DIR: dataDir("broken") });
  expect(line).toBe(`The database file:${path} cannot be used (file is not a database); restore a backup`);
});

test("a database file that cannot be written to ends the start with one line", async () => {
  const first = spawnServer({ DATA_DIR: dataDir("read-only") });
  await first.url;
  first.child.kill("SIGTERM");
  await first.child.exited;
  const path = join(dataDir("read-only"), "doculopes.db");
  const readOnly = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$0" ${SERVER}`;
  const command = ["unshare", "--map-root-user", "--mount", "sh", "-c", readOnly, process.execPath, path];
  const { child, problems } = spawnServerWith(command, { DATA_DIR: dataDir("read-only") });
  expect(await child.exited).toBe(1);
  expect(await problems).toBe(`${path} cannot be written to (EROFS)\n`);
});

test("a missing S3 server does not end the start, and its log says what to check", async () => {
  const server = spawnServer({
    ...{ DATA_DIR: dataDir("s3"), S3_ENDPOINT: "http://127.0.0.1:1", S3_BUCKET: "documents" },
    ...{ S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" },
  });
  const url = await server.url;
  expect((await fetch(`${url}/api/ready`)).status).toBe(503);
  server.child.kill("SIGTERM");
  expect(await server.output).toContain("The S3 server 127.0.0.1:1 cannot be reached (");
});

test("a closed log pipe does not end the server", async () => {
  const pidFile = dataDir("pid");
  const server = spawnUnreadServer(pidFile, { DATA_DIR: dataDir("unread") });
  const url = await server.url;
  for (let times = 0; times < 20; times += 1) expect((await fetch(`${url}/api/health`)).status).toBe(200);
  process.kill(Number(await Bun.file(pidFile).text()), "SIGTERM");
  await server.child.exited;
  expect(await server.problems).toBe("");
});
