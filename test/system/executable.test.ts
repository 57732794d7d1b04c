import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, cp, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { file, spawn, which } from "bun";
import { version } from "../../package.json";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, sha256 } from "../support/files/files";
import { spawnExecutable } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
/** An ordinary user, whoever runs the tests. */
const asUnprivilegedUser = isRoot
  ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
  : [];

const folder = makeFolder();
let executable: string;
let dataDir: string;

// Does what an image's build does, in its own folder; not every machine has a container engine.
beforeAll(async () => {
  await chmod(folder, 0o755);
  const context = join(folder, "build");
  await mkdir(context);
  const [, build = ""] = (await file(join(ROOT, "Dockerfile")).text()).split(/^FROM /m);
  for (const [, name, value = ""] of build.matchAll(/^(COPY|RUN) (.*)$/gm)) {
    if (name === "COPY") for (const path of value.split(" ").slice(0, -1)) await copyIn(context, path);
    else await run(value.replaceAll("/build/", `${context}/`), context);
  }
  executable = join(folder, "bin/doculopes");
  await cp(join(context, "doculopes"), executable);
  await rm(context, { recursive: true });
  dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  if (isRoot) await chown(dataDir, NOBODY, NOBODY);
});

test("alone in a folder, as an ordinary user, it serves, stores, backs up and stops cleanly", async () => {
  const server = spawnExecutable([...asUnprivilegedUser, executable], dirname(executable), environment());
  const url = await server.url;
  const page = await fetch(`${url}/submit/abc`, { headers: { "Accept-Encoding": "br" } });
  expect([page.status, page.headers.get("content-encoding")]).toEqual([200, "br"]);
  expect(await page.text()).toContain("<html");

  const owner = createClient({ fetch, origin: url });
  const account = { email: "ada@example.com", password: "long enough" };
  expect((await owner.post("/api/register", account)).status).toBe(201);
  const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
  const paper = largePdfFile(3_000_000);
  expect((await owner.post(linkOf(envelope), form({ Contract: paper }))).status).toBe(201);
  const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
  expect(await sha256(await owner.bytes(submissions[0].url))).toBe(await sha256(paper));

  const PORT = new URL(url).port;
  expect(await command(["ready"], { PORT })).toEqual([0, ""]);
  expect(await command(["doctor"], { PORT })).toEqual([0, expect.stringContaining("and is ready")]);
  const backup = join(dataDir, "backup");
  expect(await command(["backup", backup])).toEqual([0, `1 account with 1 file written to ${backup}\n`]);
  const exported = join(dataDir, "exported");
  expect(await command(["export", exported])).toEqual([0, `1 account with 1 file written to ${exported}\n`]);
  expect(await command(["import", exported], { DATA_DIR: join(dataDir, "imported") })).toEqual([
    0,
    `1 account with 1 file read from ${exported}\n`,
  ]);

  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  expect(await server.problems).toBe("");
  expect(await command(["ready"], { PORT })).toEqual([1, expect.stringContaining("No server is ready")]);
  expect(await readdir(dirname(executable))).toEqual(["doculopes"]);
});

test("if the temporary folder is mounted noexec, it exits with a message that says what to set", async () => {
  const noexec = 'mount -t tmpfs -o noexec tmpfs "$1" && BUN_TMPDIR="$1" TMPDIR="$1" exec "$0"';
  const temporary = join(folder, "noexec");
  await mkdir(temporary);
  const command = ["unshare", "--map-root-user", "--mount", "sh", "-c", noexec, executable, temporary];
  const child = spawn(command, { env: { ...environment(), PORT: "0" }, stdout: "pipe", stderr: "pipe" });
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toMatch(
    /^The temporary folder \S+\/noexec cannot be used for the database library \(.+\); .* Set BUN_TMPDIR to a folder where programs may run\n$/,
  );
});

test.if(isRoot)("files that root's command has left end the start with owner and remedy", async () => {
  const left = join(folder, "left");
  await mkdir(join(left, "uploads"), { recursive: true, mode: 0o700 });
  await chown(left, NOBODY, NOBODY);
  const start = () =>
    spawnExecutable([...asUnprivilegedUser, executable], dirname(executable), {
      ...environment(),
      DATA_DIR: left,
    });
  const first = start();
  expect(await first.child.exited).toBe(1);
  expect(await first.problems).toBe(
    `${left}/uploads cannot be written to (EACCES): it belongs to root, and this runs as nobody, so \`chown -R nobody: ${left}/uploads\`\n`,
  );
  await chown(join(left, "uploads"), NOBODY, NOBODY);
  const second = start();
  await second.url;
  second.child.kill("SIGTERM");
  await second.child.exited;
  await chown(join(left, "doculopes.db"), 0, 0);
  const third = start();
  expect(await third.child.exited).toBe(1);
  expect(await third.problems).toStartWith(
    `${left}/doculopes.db cannot be written to (EACCES): it belongs to root`,
  );
});

test("a backup that the user may not read is named as such", async () => {
  const unreadable = join(folder, "unreadable");
  await mkdir(unreadable, { mode: 0 });
  expect(await command(["restore", unreadable], { DATA_DIR: join(dataDir, "restored") })).toEqual([
    1,
    expect.stringContaining(`may not read ${unreadable}: change its owner`),
  ]);
});

test("it names the commit that the image's build was told, which has no repository", async () => {
  expect(await command(["--version"])).toEqual([0, `${version} (0123456789ab, 2026-11-27)\n`]);
});

test("it starts again on its data, and an unknown command prints the usage", async () => {
  const server = spawnExecutable([...asUnprivilegedUser, executable], dirname(executable), environment());
  const owner = createClient({ fetch, origin: await server.url });
  const account = { email: "ada@example.com", password: "long enough" };
  expect((await owner.post("/api/login", account)).status).toBe(200);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  expect(await command(["serve"])).toEqual([1, expect.stringMatching(/^Usage: /)]);
});

/** Passes on none of this process's variables except PATH and TMPDIR. */
const environment = () => ({ PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), DATA_DIR: dataDir, PORT: "0" });

async function copyIn(context: string, path: string): Promise<void> {
  const isBuilt = (source: string) => source === join(ROOT, "web/dist");
  await cp(join(ROOT, path), join(context, path), { recursive: true, filter: (source) => !isBuilt(source) });
}

async function run(step: string, cwd: string): Promise<void> {
  const bin = dirname(which("bun") ?? process.execPath);
  const env = {
    ...process.env,
    REVISION: "0123456789ab 2026-11-27T06:46:13Z",
    PATH: `${bin}:${process.env.PATH}`,
  };
  const child = spawn(["sh", "-c", step], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  if ((await child.exited) !== 0) throw new Error(`${step}\n${output}`);
}

/** Its exit code and its whole output. */
async function command(args: string[], variables: Record<string, string> = {}): Promise<[number, string]> {
  const child = spawn([...asUnprivilegedUser, executable, ...args], {
    cwd: dirname(executable),
    env: { ...environment(), ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  return [await child.exited, output];
}
