import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { file, type Subprocess, sleep, spawn, write } from "bun";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, sha256 } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";
import { freePort } from "./free-port";
import { DEPLOY, run } from "./run";

const NAME = "docs.example.com";
const FORMER = "old.example.com";
const UPLOAD_BYTES = 300_000_000;
const CONNECTIONS = 1000;

const root = makeFolder();
let certificate: string;
const running: Subprocess[] = [];

beforeAll(async () => {
  const subject = [
    "-subj",
    `/CN=${NAME}`,
    "-addext",
    `subjectAltName=DNS:${NAME},DNS:${FORMER},DNS:localhost`,
  ];
  const files = ["-keyout", join(root, "key.pem"), "-out", join(root, "cert.pem")];
  const made = [
    "openssl",
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    ...subject,
    ...files,
  ];
  expect((await run(made)).code).toBe(0);
  certificate = await file(join(root, "cert.pem")).text();
}, 60_000);
afterAll(async () => {
  // SIGTERM rather than SIGKILL, after which nginx would leave its workers.
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(running.map((child) => child.exited));
});

type Ports = { https: number; http: number; upstream: number; second: number };

/** The Caddyfile with two servers, and the port and certificate of this test. */
async function startCaddy({ https, upstream, second }: Ports): Promise<string[]> {
  const options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n";
  await write(join(root, "own.caddy"), `tls ${join(root, "cert.pem")} ${join(root, "key.pem")}\n`);
  const text = (await file(`${DEPLOY}Caddyfile`).text())
    .replace("{$DOMAIN} {", `https://${NAME}:${https}, https://localhost:${https} {`)
    .replace("{$FORMER_DOMAINS:http://former.invalid}", `https://${FORMER}:${https}`)
    .replace("{$DOMAIN}", NAME)
    .replaceAll("/etc/caddy/doculopes.d/*", join(root, "own*"))
    .replace("#health_uri", "health_uri")
    .replace(/#health_interval \S+/, "health_interval 200ms")
    .replaceAll("{$UPSTREAM:127.0.0.1:3000}", `127.0.0.1:${upstream} 127.0.0.1:${second}`);
  await write(join(root, "Caddyfile"), options + text);
  return ["caddy", "run", "--config", join(root, "Caddyfile"), "--adapter", "caddyfile"];
}

/**
 * The nginx sample with two servers, the README's former name, and the ports and certificate of this test, in a main
 * configuration like Debian's.
 */
async function startNginx({ https, http, upstream, second }: Ports): Promise<string[]> {
  const [, formerName = ""] = /```nginx\n(.*?)```/s.exec(await file(`${DEPLOY}README.md`).text()) ?? [];
  const site = ((await file(`${DEPLOY}nginx.conf`).text()) + formerName)
    .replaceAll(/listen (\[::\]:)?443/g, (_, ipv6 = "") => `listen ${ipv6}${https}`)
    .replaceAll(/listen (\[::\]:)?80;/g, (_, ipv6 = "") => `listen ${ipv6}${http};`)
    .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
    .replace("#server 10.0.0.2:3000", `server 127.0.0.1:${second}`)
    .replaceAll(/\/etc\/letsencrypt\/\S+fullchain\.pem/g, join(root, "cert.pem"))
    .replaceAll(/\/etc\/letsencrypt\/\S+privkey\.pem/g, join(root, "key.pem"))
    .replaceAll("/var/log/nginx/", `${root}/nginx-`);
  await write(join(root, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(root, name)};`)
    .join("\n");
  const main = `pid ${join(root, "nginx.pid")};\nerror_log ${root}/nginx-error.log;\nevents { worker_connections 4096; }\nhttp {\naccess_log ${root}/nginx-access.log;\n${temporary}\ninclude ${join(root, "site.conf")};\n}\n`;
  await write(join(root, "nginx.conf"), main);
  return ["nginx", "-p", root, "-c", join(root, "nginx.conf"), "-g", "daemon off;"];
}

const PROXIES = { caddy: startCaddy, nginx: startNginx };

for (const [name, start] of Object.entries(PROXIES))
  describe(`behind ${name}`, () => {
    let origin: string;
    let port: number;
    let plainPort: number;
    let server: ReturnType<typeof spawnServer>;
    let second: ReturnType<typeof spawnServer>;
    const secure = (request: Request) => fetch(request, { tls: { ca: certificate } } as RequestInit);

    beforeAll(async () => {
      const ports = {
        ...{ https: await freePort(), http: await freePort() },
        ...{ upstream: await freePort(), second: await freePort() },
      };
      port = ports.https;
      plainPort = ports.http;
      origin = `https://localhost:${port}`;
      const dataDir = join(root, `${name}-data`);
      await mkdir(dataDir);
      const variables = {
        DATA_DIR: dataDir,
        PUBLIC_URL: origin,
        TRUSTED_PROXIES: "1",
        MAX_FILE_MB: "400",
        MIN_FREE_MB: "0",
        METRICS_TOKEN: "a-token-of-enough-characters",
      };
      server = spawnServer({ ...variables, PORT: String(ports.upstream) });
      await server.url;
      second = spawnServer({ ...variables, PORT: String(ports.second) });
      await second.url;
      const proxy = spawn(await start(ports), {
        env: { ...process.env, HOME: root, XDG_DATA_HOME: root },
        stdout: "ignore",
        stderr: Bun.file(join(root, `${name}.log`)),
      });
      running.push(proxy, server.child, second.child);
      for (let tries = 0; tries < 100; tries += 1) {
        if (
          await secure(new Request(`${origin}/api/live`)).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return;
        await sleep(100);
      }
      throw new Error(await file(join(root, `${name}.log`)).text());
    }, 60_000);

    test("a journey over https, with an upload of 300 MB that arrives byte for byte", async () => {
      const owner = createClient({ fetch: secure, origin });
      const registered = await owner.post("/api/register", {
        email: "ada@example.com",
        password: "long enough",
      });
      expect(registered.status).toBe(201);
      expect(owner.cookie).toStartWith("__Host-");
      expect(registered.headers.get("strict-transport-security")).toBe("max-age=63072000");
      const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
      const recipient = createClient({ fetch: secure, origin });
      const paper = largePdfFile(UPLOAD_BYTES);
      const sent = await recipient.send("POST", linkOf(envelope), form({ Contract: paper }));
      expect(sent.status).toBe(201);
      const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
      expect(await sha256(await owner.bytes(submissions[0].url))).toBe(await sha256(paper));
    }, 120_000);

    test(`${CONNECTIONS} keep-alive connections are answered, twice each`, async () => {
      const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port, certificate)));
      for (let round = 0; round < 2; round += 1) {
        const responses = await Promise.all(sockets.map((socket) => askFor(socket, "/api/live")));
        expect(responses.filter((line) => line !== "HTTP/1.1 200 OK")).toEqual([]);
      }
      for (const socket of sockets) socket.destroy();
    }, 120_000);

    test("a former name redirects with path and query, but takes what mail providers send to unsubscribe", async () => {
      const resolve = ["--resolve", `${FORMER}:${port}:127.0.0.1`, "--cacert", join(root, "cert.pem")];
      const ask = async (path: string, ...args: string[]) => {
        const format = ["--write-out", "\n%{http_code} %{redirect_url}"];
        const url = `https://${FORMER}:${port}${path}`;
        const { output } = await run(["curl", "--silent", ...resolve, ...format, ...args, url]);
        return output.split("\n").at(-1);
      };
      for (const method of ["GET", "POST"])
        expect(await ask("/submit/a-token?lang=de&x=%2F", "--request", method)).toBe(
          `308 https://${NAME}/submit/a-token?lang=de&x=%2F`,
        );
      expect(await ask("/api/unsubscribe/a-token", "--data", "List-Unsubscribe=One-Click")).toBe("404 ");
    });

    test("one of two servers stops, and the other one takes all posts", async () => {
      const posts = async (count: number) => {
        const lost: number[] = [];
        for (let sent = 0; sent < count; sent += 1) {
          const request = new Request(`${origin}/api/unsubscribe/a-token`, { method: "POST" });
          const { status } = await secure(request);
          if (status !== 404) lost.push(status);
        }
        return lost;
      };
      const during = Promise.all(Array.from({ length: 4 }, () => posts(60)));
      second.child.kill("SIGTERM");
      await second.child.exited;
      // A connection that was open to the server may end with its next request.
      for (const lost of await during) expect(lost.length).toBeLessThanOrEqual(1);
      expect(await posts(400)).toEqual([]);
    }, 60_000);

    test("the log has the client's own address, whatever the client claims", async () => {
      const curl = ["curl", "--silent", "--cacert", join(root, "cert.pem"), "--interface", "127.0.0.5"];
      const claims = [
        "-H",
        "X-Forwarded-For: 6.6.6.6",
        "-H",
        "X-Real-IP: 6.6.6.6",
        "-H",
        "Forwarded: for=6.6.6.6",
      ];
      const address = [
        "--resolve",
        `${NAME}:${port}:127.0.0.1`,
        `https://${NAME}:${port}/api/submissions/claimed`,
      ];
      expect((await run([...curl, ...claims, ...address])).code).toBe(0);
      const metrics = await secure(new Request(`${origin}/metrics`));
      expect(metrics.status).toBe(404);
      server.child.kill("SIGTERM");
      const output = await server.output;
      const lines = output
        .split("\n")
        .filter((line) => line.includes('"/api/submissions/:token","status":404'));
      expect(lines.map((line) => JSON.parse(line).client)).toEqual(["127.0.0.5"]);
      expect(output).not.toContain("6.6.6.6");
    });

    test("no log of the proxy contains a link's token, not even while the server is down", async () => {
      server.child.kill("SIGTERM");
      await server.child.exited;
      for (const path of ["/submit/secret-token", "/api/submissions/secret-token?x=secret-query"])
        expect([502, 503]).toContain((await secure(new Request(origin + path))).status);
      if (name === "nginx")
        expect(
          (await fetch(`http://localhost:${plainPort}/submit/secret-token`, { redirect: "manual" })).status,
        ).toBe(301);
      const logs = (await readdir(root)).filter((file) => file.endsWith(".log"));
      expect(logs).toContain(`${name}.log`);
      for (const log of logs)
        expect([log, await file(join(root, log)).text()]).toEqual([
          log,
          expect.not.stringContaining("secret-"),
        ]);
    });
  });

function open(port: number, ca: string): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: "127.0.0.1", ca, servername: "localhost" }, () => done(socket));
    socket.setEncoding("latin1");
    socket.once("error", fail);
  });
}

/** @returns the status line */
function askFor(socket: TLSSocket, path: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    const read = (chunk: string) => {
      text += chunk;
      if (!text.includes("\r\n\r\n") || !text.endsWith("}")) return;
      socket.off("data", read);
      done(text.split("\r\n", 1)[0] ?? "");
    };
    socket.on("data", read);
    socket.once("close", () => fail(new Error(`closed after ${JSON.stringify(text)}`)));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n`);
  });
}
