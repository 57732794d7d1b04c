import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Subprocess, sleep, spawn, write } from "bun";
import { makeFolder } from "../support/temporary-folder";
import { debianArchive, must } from "./debian";
import { DEPLOY, run } from "./run";

/**
 * A fresh Debian whose own systemd is process 1, in namespaces of this machine, installed as README says. Its network
 * is its own, so that the ports are those of the files.
 */
const ROOT = join(import.meta.dir, "../..");
const DOMAIN = "docs.example.com";
const PACKAGES = ["ca-certificates", "systemd-sysv", "dbus", "caddy", "age", "gpg", "gpg-agent"];
const NAMESPACES = ["--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc", "--cgroup", "--net"];

const KEY = `gpg --batch --quiet --passphrase "" --quick-generate-key backup@example.com default default never`;
const ENDED_AT = "ExecMainExitTimestampMonotonic";

const folder = makeFolder();
let debian: string;
let machine: Subprocess;
let init: string;

beforeAll(async () => {
  debian = join(folder, "debian");
  await mkdir(debian);
  await must(["tar", "-C", debian, "-xf", await debianArchive("systemd", PACKAGES)]);
  await write(join(debian, "etc/hosts"), "127.0.0.1 localhost\n");
  const repository = join(debian, "srv/doculopes");
  await cp(DEPLOY, join(repository, "worker/deploy"), { recursive: true });
  await must([process.execPath, "worker/cli/compile.ts", join(repository, "doculopes")], ROOT);
  await boot();
}, 900_000);
afterAll(async () => {
  machine?.kill("SIGKILL");
  await machine?.exited;
});

/** Waits until the machine has started everything. */
async function boot(): Promise<void> {
  machine = spawn(["unshare", ...NAMESPACES, join(import.meta.dir, "boot.sh"), debian], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await until(async () => {
    const children = await readFile(`/proc/${machine.pid}/task/${machine.pid}/children`, "utf8");
    init = children.trim();
    return /^(?:running|degraded)$/.test((await inside("systemctl is-system-running")).output.trim());
  });
}

/** Runs a line of shell as root in the machine. */
const inside = (line: string) =>
  run(["nsenter", "--target", init, "--all", "env", "-i", `PATH=${PATH}`, "sh", "-c", line]);
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const outputOf = async (line: string) => (await inside(line)).output.trim();

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await holds()) return;
    await sleep(100);
  }
  throw new Error(await outputOf("systemctl --failed; journalctl --no-pager --lines 40"));
}

/** Properties of a unit. */
async function show(unit: string, ...names: string[]): Promise<Record<string, string>> {
  const lines = (await outputOf(`systemctl show ${unit} -p ${names.join()}`)).split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/)));
}

const install = () => inside(`cd /srv/doculopes && sh worker/deploy/install.sh ${DOMAIN}`);

/** A page of the machine, by the name that Caddy knows it by. */
const get = (url: string) => {
  const names = ["other.example.com", DOMAIN].flatMap((name) =>
    [80, 443].flatMap((port) => ["--resolve", `${name}:${port}:127.0.0.1`]),
  );
  const curl = [
    "curl",
    "--silent",
    "--insecure",
    "--write-out",
    " %{http_code} %{redirect_url}",
    ...names,
    url,
  ];
  return run(["nsenter", "--target", init, "--net", ...curl]).then(({ output }) => output);
};

const DOCTOR = "cd /etc/doculopes && runuser -u doculopes doculopes doctor";

/** Over https, in the machine's network. The first account needs the setup link that `doctor` shows. */
async function journey() {
  const setupToken = /\/setup\/(\w+)/.exec(await outputOf(DOCTOR))?.[1];
  const script = [process.execPath, join(import.meta.dir, "journey.ts"), DOMAIN, join(folder, "cert.pem")];
  const program = setupToken ? [...script, setupToken] : script;
  const { code, output } = await run(["nsenter", "--target", init, "--net", ...program], { cwd: ROOT });
  expect([code, output]).toEqual([0, expect.stringMatching(/^\{/)]);
  return JSON.parse(output);
}

test("install.sh fails while another server answers at its port", async () => {
  await inside("systemd-run --unit=earlier --setenv=DATA_DIR=/run/earlier /srv/doculopes/doculopes");
  await until(async () => (await inside("/srv/doculopes/doculopes ready")).code === 0);
  expect(await install()).toEqual({
    code: 1,
    output: expect.stringContaining("Another Doculopes answers at 127.0.0.1:3000: stop it"),
  });
  await inside("systemctl stop earlier");
});

test("install.sh fails with the server's sentence if something else has its port, and it is not retried", async () => {
  await inside("systemd-run --unit=taken caddy respond --listen 127.0.0.1:3000 other");
  await until(async () => (await get("http://127.0.0.1:3000/")) === "other 200 ");
  const { code, output } = await install();
  expect([code, output]).toEqual([1, expect.stringContaining("Port 3000 on 127.0.0.1 is already in use")]);
  expect(await show("doculopes", "NRestarts", "ExecMainStatus")).toEqual({
    ...{ NRestarts: "0", ExecMainStatus: "78" },
  });
  await inside("systemctl stop taken");
});

test("install.sh starts server, Caddy and timer, beside another site, and all keep running", async () => {
  await inside(`printf 'other.example.com {\n\ttls internal\n\trespond "other"\n}\n' >>/etc/caddy/Caddyfile`);
  expect(await inside("systemctl reload caddy")).toEqual({ code: 0, output: "" });
  const { code, output } = await install();
  expect([code, output]).toEqual([0, expect.stringContaining(`Doculopes runs at https://${DOMAIN}\n`)]);
  expect(await outputOf("systemctl is-active doculopes caddy doculopes-backup.timer")).toBe(
    "active\nactive\nactive",
  );
  expect(await show("doculopes", "NRestarts", "Result")).toEqual({ NRestarts: "0", Result: "success" });
  expect(await get("https://other.example.com/")).toBe("other 200 ");
  expect(await get(`http://${DOMAIN}/`)).toBe(` 308 https://${DOMAIN}/`);
  const again = await install();
  expect(again.output).not.toContain("Caddy:");
});

test("the server has no rights beyond its own folders", async () => {
  const status = await outputOf("cat /proc/$(systemctl show doculopes -P MainPID)/status");
  expect(status).toMatch(/^CapEff:\s0{16}$/m);
  expect(status).toMatch(/^CapBnd:\s0{16}$/m);
  expect(status).toMatch(/^NoNewPrivs:\s1$/m);
  expect(status).toMatch(/^Seccomp:\s2$/m);
  const uid = await outputOf("id -u doculopes");
  expect(status).toMatch(new RegExp(`^Uid:(?:\\s${uid}){4}$`, "m"));
  const within = "nsenter --target $(systemctl show doculopes -P MainPID) --mount";
  for (const path of ["/usr", "/etc/doculopes", "/var/backups/doculopes"])
    expect((await inside(`${within} touch ${path}/x`)).output).toContain("Read-only file system");
  expect((await inside(`${within} touch /var/lib/doculopes/x && rm /var/lib/doculopes/x`)).code).toBe(0);
  expect(await outputOf("stat -c '%a %U' /var/lib/doculopes /var/lib/doculopes/doculopes.db")).toBe(
    "700 doculopes\n600 doculopes",
  );
});

test("a journey over https with the test's own certificate, then doctor", async () => {
  const names = ["-subj", `/CN=${DOMAIN}`, "-addext", `subjectAltName=DNS:${DOMAIN},DNS:localhost`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  await must(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files]);
  for (const name of ["cert.pem", "key.pem"]) await cp(join(folder, name), join(debian, "etc/caddy", name));
  await must(["chmod", "644", join(debian, "etc/caddy/key.pem")]);
  const tls = `sed -i 's|^${DOMAIN} {|&\\n\\ttls /etc/caddy/cert.pem /etc/caddy/key.pem|' /etc/caddy/doculopes.caddy`;
  expect(await inside(`${tls} && systemctl reload caddy`)).toEqual({ code: 0, output: "" });
  expect(await journey()).toEqual({
    registered: 201,
    rejected: 403,
    login: 200,
    submitted: 201,
    intact: true,
    envelopes: 1,
  });
  const doctor = await inside(DOCTOR);
  expect([doctor.code, doctor.output]).toEqual([0, expect.any(String)]);
});

test("a killed server is restarted with all data", async () => {
  await inside("systemctl kill --signal=KILL doculopes");
  await until(async () => {
    const { NRestarts, SubState } = await show("doculopes", "NRestarts", "SubState");
    return NRestarts === "1" && SubState === "running";
  });
  expect(await journey()).toMatchObject({ rejected: 403, login: 200, envelopes: 2 });
});

test("a stop ends within the limits although clients keep requests open", async () => {
  const headers = ["Host: localhost", "Content-Type: application/json", "Content-Length: 99"];
  const request = ["POST /api/login HTTP/1.1", ...headers, "", "{"].join("\\r\\n");
  const client = spawn(
    [
      ...["nsenter", "--target", init, "--net", "bash", "-c"],
      `exec 3<>/dev/tcp/127.0.0.1/3000; printf '${request}' >&3; echo sent; read -u 3`,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  await client.stdout.getReader().read();
  const started = performance.now();
  expect((await inside("systemctl stop doculopes")).code).toBe(0);
  expect(performance.now() - started).toBeLessThan(20_000);
  client.kill();
  const ended = await show("doculopes", "Result", "ExecMainStatus");
  expect(ended).toEqual({ Result: "success", ExecMainStatus: "0" });
  expect(await outputOf("journalctl -u doculopes --output cat --lines 20")).toMatch(
    /"event":"aborted","requests":1,.*"event":"drained"/s,
  );
  await inside("systemctl start doculopes");
});

test("a start with an invalid variable ends at once with its sentence, and is not repeated", async () => {
  await inside("cp /etc/doculopes/doculopes.env /run/env; echo PORT=99999 >>/etc/doculopes/doculopes.env");
  const started = performance.now();
  expect((await inside("systemctl restart doculopes")).code).toBe(1);
  expect(performance.now() - started).toBeLessThan(10_000);
  await sleep(3000);
  const ended = await show("doculopes", "ActiveState", "ExecMainStatus");
  expect(ended).toEqual({ ActiveState: "failed", ExecMainStatus: "78" });
  expect(await outputOf("journalctl -u doculopes --output cat --lines 20")).toContain(
    'PORT is "99999", but must be a whole number from 0 to 65535',
  );
  await inside("cp /run/env /etc/doculopes/doculopes.env; systemctl start doculopes");
});

test("a start that takes longer than half a minute, as with a migration, is waited for", async () => {
  await inside("systemctl stop doculopes");
  const database = new Database(join(debian, "var/lib/doculopes/doculopes.db"));
  database.run("pragma locking_mode = exclusive");
  database.run("begin exclusive");
  const started = inside("systemctl start doculopes");
  await sleep(45_000);
  database.close();
  expect(await started).toEqual({ code: 0, output: "" });
  expect(await show("doculopes", "NRestarts", "Result")).toEqual({ NRestarts: "0", Result: "success" });
}, 120_000);

test("the timer runs a missed backup later, with a copy encrypted by gpg", async () => {
  await inside(`runuser -u doculopes -- env HOME=/var/lib/doculopes sh -c '${KEY}'`);
  await write(join(debian, "etc/doculopes/backup.env"), "GPG_RECIPIENT=backup@example.com\nKEEP=2\n");
  const now = "/etc/systemd/system/doculopes-backup.timer.d";
  await mkdir(join(debian, now), { recursive: true });
  await write(join(debian, now, "now.conf"), "[Timer]\nRandomizedDelaySec=0\n");
  const stamp = "/var/lib/systemd/timers/stamp-doculopes-backup.timer";
  await inside(
    `systemctl stop doculopes-backup.timer; touch -d '2 days ago' ${stamp}; systemctl daemon-reload`,
  );
  await inside("systemctl start doculopes-backup.timer");
  await until(async () => {
    const { Result, ExecMainExitTimestampMonotonic } = await show("doculopes-backup", "Result", ENDED_AT);
    return Result === "success" && Number(ExecMainExitTimestampMonotonic) > 0;
  });
  const log = await outputOf("journalctl -u doculopes-backup --output cat");
  expect(log).toMatch(/^1 account with \d+ files? written to /m);
  const [backup = ""] = (await outputOf("ls /var/backups/doculopes")).split("\n");
  expect(backup).toMatch(/^\d{4}-.*Z$/);
  const listed = `gpg --quiet --decrypt /var/backups/doculopes/encrypted/${backup}.tar.gpg | tar -t`;
  expect(await outputOf(`runuser -u doculopes -- env HOME=/var/lib/doculopes sh -c '${listed}'`)).toContain(
    `${backup}/`,
  );
});

test("install.sh upgrades, and a restart of the machine starts everything again", async () => {
  const configuration = "cat /etc/doculopes/doculopes.env /etc/caddy/Caddyfile /etc/caddy/doculopes.caddy";
  const before = await outputOf(configuration);
  expect((await install()).code).toBe(0);
  expect(await outputOf(configuration)).toBe(before);
  await inside("echo PORT=3100 >>/etc/doculopes/doculopes.env");
  expect((await install()).code).toBe(0);
  expect(await outputOf(configuration)).toBe(
    before.replace("127.0.0.1:3000", "127.0.0.1:3100").replace(/(#MAIL_FROM.*)/, "$1\nPORT=3100"),
  );
  expect(await get("https://other.example.com/")).toBe("other 200 ");
  await inside("systemctl poweroff");
  await machine.exited;
  await boot();
  expect(await outputOf("systemctl is-active doculopes caddy doculopes-backup.timer")).toBe(
    "active\nactive\nactive",
  );
  expect(await journey()).toMatchObject({ rejected: 403, login: 200, envelopes: 3 });
});
