import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { file, sleep, which, write } from "bun";
import { version } from "../../package.json";
import { type Client, createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, sha256 } from "../support/files/files";
import { makeFolder } from "../support/temporary-folder";
import { debianArchive, must } from "./debian";
import { freePort } from "./free-port";
import { run } from "./run";

/**
 * Builds the real Dockerfile and runs it as compose.yaml does, without root. Its base images are built here, because an
 * image registry is not always reachable: Debian by mmdebstrap, and Bun from this machine.
 */
const ROOT = join(import.meta.dir, "../..");
const REVISION = { commit: "0123456789ab", date: "2026-11-27T06:46:13Z" };
const USER = "doculopes-test";
const isRoot = process.getuid?.() === 0;
/** The build and the containers get no more capabilities than this process has. */
const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"];
const HARDENED = [
  ...["--read-only", "--tmpfs", "/tmp:exec,mode=1777", "--cap-drop", "all"],
  ...["--security-opt", "no-new-privileges", "--network", "host"],
];

const folder = makeFolder();
let port: number;

/** podman as an ordinary user, with runc: Debian 12's crun does not support machines with both kinds of cgroups. */
function podman(...args: string[]) {
  const command = ["podman", "--cgroup-manager", "cgroupfs", "--runtime", which("runc") ?? "runc", ...args];
  if (!isRoot) return run(command);
  const own = [
    "env",
    "-i",
    `HOME=${folder}/home`,
    `XDG_RUNTIME_DIR=${folder}/run`,
    `PATH=${process.env.PATH}`,
  ];
  return run(["runuser", "-u", USER, "--", ...own, ...command], { cwd: "/" });
}

beforeAll(async () => {
  await chmod(folder, 0o755);
  const debian = await debianArchive("trixie", ["ca-certificates"]);
  await must(["podman", "import", debian, "docker.io/library/debian:trixie-slim"]);
  const bun = join(folder, "bun");
  await mkdir(bun);
  await copyFile(process.execPath, join(bun, "bun"));
  await write(
    join(bun, "Dockerfile"),
    "FROM docker.io/library/debian:trixie-slim\nCOPY bun /usr/local/bin/bun\n",
  );
  const build = ["buildah", "bud", "--format", "docker", "--isolation", "chroot", "--network", "host"];
  const limited = [...build, "--ulimit", "nofile=1024:1024"];
  const [, name = ""] = /^FROM (\S+) AS build$/m.exec(await file(join(ROOT, "Dockerfile")).text()) ?? [];
  await must([...limited, "-t", `docker.io/${name}`, bun]);
  const host = ["/etc/ssl/certs", "/etc/resolv.conf", "/etc/hosts"].flatMap((path) => [
    "-v",
    `${path}:${path}:ro`,
  ]);
  await must(
    [
      ...limited,
      ...host,
      "--build-arg",
      `REVISION=${REVISION.commit} ${REVISION.date}`,
      "-t",
      "localhost/doculopes",
      ".",
    ],
    ROOT,
  );

  if (isRoot) {
    await must(["useradd", "--system", "--add-subids-for-system", "--home-dir", `${folder}/home`, USER]);
    for (const name of ["home", "run"]) {
      await mkdir(join(folder, name), { mode: 0o700 });
      await must(["chown", USER, join(folder, name)]);
    }
    await must(["podman", "save", "--quiet", "-o", join(folder, "image.tar"), "localhost/doculopes"]);
    await chmod(join(folder, "image.tar"), 0o644);
    const loaded = await podman("load", "--quiet", "-i", join(folder, "image.tar"));
    expect([loaded.code, loaded.output]).toEqual([0, expect.stringContaining("localhost/doculopes")]);
  }
  port = await freePort();
}, 900_000);

afterAll(async () => {
  await podman("rm", "--force", "--all");
  await podman("volume", "rm", "--all", "--force");
  await podman("rmi", "--all", "--force");
  // Ends the process that holds the user's namespaces.
  await podman("system", "migrate");
  if (isRoot) await run(["userdel", USER]);
}, 120_000);

/** Starts a container on the volume and waits until it is ready. */
async function start(name: string, volume: string, mounts: string[] = []): Promise<string> {
  const options = [
    ...LIMITS,
    ...HARDENED,
    "-e",
    `PORT=${port}`,
    "-e",
    "MIN_FREE_MB=0",
    "-v",
    `${volume}:/data`,
    ...mounts,
  ];
  const { code, output } = await podman("run", "--detach", "--name", name, ...options, "localhost/doculopes");
  expect([code, output]).toEqual([0, expect.any(String)]);
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await podman("exec", name, "doculopes", "ready")).code === 0) return `http://localhost:${port}`;
    await sleep(100);
  }
  throw new Error((await podman("logs", name)).output);
}

const ACCOUNT = { email: "ada@example.com", password: "long enough" };

/** Creates the first account, by the setup link that `doctor` shows in the container. */
async function register(name: string, origin: string): Promise<Client> {
  const owner = createClient({ fetch, origin });
  expect((await owner.post("/api/register", ACCOUNT)).body.code).toBe("setup_required");
  const { output } = await podman("exec", name, "doculopes", "doctor");
  const [, setupToken] = /\/setup\/([\w-]+)/.exec(output) ?? [];
  expect((await owner.post("/api/register", { ...ACCOUNT, setupToken })).status).toBe(201);
  return owner;
}

test("the image serves without root, read-only and without capabilities, and a kill loses nothing", async () => {
  const origin = await start("first", "data");
  expect(await (await fetch(`${origin}/api/health`)).json()).toEqual({ status: "ok", version, ...REVISION });
  const owner = await register("first", origin);
  const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
  const paper = largePdfFile(3_000_000);
  expect((await owner.post(linkOf(envelope), form({ Contract: paper }))).status).toBe(201);
  expect((await podman("exec", "first", "id", "-u")).output.trim()).toBe("10001");
  expect((await podman("exec", "first", "sh", "-c", "grep CapEff /proc/1/status")).output).toMatch(
    /0{16}\s*$/,
  );
  expect((await podman("exec", "first", "touch", "/usr/x")).code).not.toBe(0);
  expect((await podman("kill", "first")).code).toBe(0);
  await podman("rm", "--force", "first");

  const again = createClient({ fetch, origin: await start("second", "data") });
  expect((await again.post("/api/login", ACCOUNT)).status).toBe(200);
  const { submissions } = (await again.get(`/api/requests/${envelope.id}`)).body;
  expect(await sha256(await again.bytes(submissions[0].url))).toBe(await sha256(paper));
  expect((await podman("stop", "--time", "20", "second")).code).toBe(0);
  expect((await podman("logs", "second")).output).toContain('"event":"drained"');
  await podman("rm", "--force", "second");
}, 120_000);

test("the image's commands back up, check and restore, as worker/deploy/README.md has them", async () => {
  const backups = join(folder, "backups");
  await mkdir(backups);
  await chmod(backups, 0o777);
  const mount = ["-v", `${backups}:/backups`];
  const origin = await start("kept", "kept", mount);
  const owner = await register("kept", origin);
  const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
  const paper = largePdfFile(3_000_000);
  expect((await owner.post(linkOf(envelope), form({ Contract: paper }))).status).toBe(201);
  const doctor = await podman("exec", "kept", "doculopes", "doctor");
  expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining("is ready")]);
  const made = await podman("exec", "kept", "doculopes-backup");
  expect([made.code, made.output]).toEqual([
    0,
    expect.stringContaining("1 account with 1 file written to /backups/2"),
  ]);
  expect((await podman("exec", "kept", "age", "--version")).code).toBe(0);
  const backup = /\/backups\/\S+/.exec(made.output)?.[0] ?? "";
  expect((await owner.delete(`/api/requests/${envelope.id}`)).status).toBe(204);
  const inUse = await podman("exec", "kept", "doculopes", "restore", "--replace", backup);
  expect([inUse.code, inUse.output]).toEqual([1, expect.stringContaining("is still running")]);
  expect((await podman("stop", "--time", "20", "kept")).code).toBe(0);
  await podman("rm", "--force", "kept");
  const options = [...LIMITS, ...HARDENED, ...mount, "-v", "kept:/data"];
  const restored = await podman(
    "run",
    "--rm",
    ...options,
    "localhost/doculopes",
    "restore",
    "--replace",
    backup,
  );
  expect([restored.code, restored.output]).toEqual([
    0,
    expect.stringContaining("1 account with 1 file read from"),
  ]);

  const again = createClient({ fetch, origin: await start("again", "kept", mount) });
  expect((await again.post("/api/login", ACCOUNT)).status).toBe(200);
  const { submissions } = (await again.get(`/api/requests/${envelope.id}`)).body;
  expect(await sha256(await again.bytes(submissions[0].url))).toBe(await sha256(paper));
  await podman("rm", "--force", "again");
}, 120_000);

test("a volume of 0.1.0 is upgraded by the start of this version's image", async () => {
  const dump = await file(join(ROOT, "test/system/released/0.1.0.sql")).text();
  const old = join(folder, "old");
  await mkdir(join(old, "uploads"), { recursive: true });
  const db = new Database(join(old, "doculopes.db"));
  db.run(dump);
  for (const { path } of db.query<{ path: string }, []>("select file_path as path from submissions").all())
    await write(join(old, "uploads", path), "%PDF-1.4");
  const count = db.query<{ n: number }, []>("select count(*) as n from requests").get()?.n;
  db.close();
  await must(["chmod", "-R", "a+rX", old]);
  const copy = [
    "--entrypoint",
    "sh",
    ...LIMITS,
    "--network",
    "none",
    "-v",
    "old:/data",
    "-v",
    `${old}:/old:ro`,
  ];
  const made = await podman("run", "--rm", ...copy, "localhost/doculopes", "-c", "cp -r /old/. /data/");
  expect([made.code, made.output]).toEqual([0, expect.any(String)]);
  const owner = createClient({ fetch, origin: await start("upgraded", "old") });
  const login = await owner.post("/api/login", { email: "demo@example.com", password: "demodemo" });
  expect(login.status).toBe(200);
  expect((await owner.get("/api/requests")).body).toHaveLength(count ?? 0);
  await podman("rm", "--force", "upgraded");
}, 120_000);
