/**
 * `bun run deployment [test ...]`: tests the files of worker/deploy with the real programs. Installs Debian's packages
 * if permitted.
 */
import { Glob, spawn, spawnSync, which } from "bun";

const ROOT = new URL("../..", import.meta.url).pathname;
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
/** The Debian package of each program that the tests start. */
const PACKAGES = {
  age: "age",
  caddy: "caddy",
  "docker-compose": "docker-compose",
  "fail2ban-regex": "fail2ban",
  nginx: "nginx-light",
  openssl: "openssl",
  promtool: "prometheus",
  "systemd-analyze": "systemd",
  podman: "podman",
  buildah: "buildah",
  runc: "runc",
  mmdebstrap: "mmdebstrap",
  gpg: "gpg",
  unshare: "util-linux",
};
/** Why a test file cannot run on this machine. Those of other files fail without their programs. */
const OBSTACLES: Record<string, () => string | null> = {
  "container.test.ts": () =>
    without("podman", "buildah", "runc", "mmdebstrap", "unshare") ??
    unlessAllowed("user namespaces", "--user"),
  "install.test.ts": () =>
    without("caddy", "unshare") ?? unlessAllowed("a root of its own", "--mount", "--root=/"),
  "systemd.test.ts": () =>
    without("mmdebstrap", "unshare") ??
    unlessAllowed("namespaces of its own", "--mount", "--pid", "--fork", "--cgroup", "--net"),
};

const missing = Object.entries(PACKAGES).flatMap(([program, name]) =>
  which(program, { PATH }) ? [] : [name],
);
if (missing.length > 0 && process.getuid?.() === 0 && which("apt-get")) {
  // Run level 1: the packages' services are not started.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (const step of [["update"], ["install", "--yes", "--no-install-recommends", ...missing]])
    spawnSync(["apt-get", "--quiet", ...step], { env, stdout: "inherit", stderr: "inherit" });
} else if (missing.length > 0)
  process.stdout.write(`Not found, so tests that need them fail or are skipped: ${missing.join(", ")}\n`);

const all = [...new Glob("*.test.ts").scanSync(import.meta.dir)].sort();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
const chosen = wanted.filter((name) => {
  const obstacle = OBSTACLES[name]?.() ?? null;
  if (obstacle !== null) process.stdout.write(`Skipped: ${name}, because ${obstacle}\n`);
  return obstacle === null;
});
if (chosen.length === 0) process.exit(0);

const files = chosen.map((name) => `test/deployment/${name}`);
const flags = ["--path-ignore-patterns=**/none/**", "--timeout=600000"];
const child = spawn([process.execPath, "test", ...flags, ...files], {
  cwd: ROOT,
  env: { ...process.env, PATH },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);

/** What is not installed, also after an attempt to install it. */
function without(...programs: string[]): string | null {
  const absent = programs.filter((name) => !which(name, { PATH }));
  return absent.length > 0 ? `this machine has no ${absent.join(", ")}` : null;
}

function unlessAllowed(what: string, ...flags: string[]): string | null {
  return spawnSync(["unshare", ...flags, "true"]).success ? null : `a process may not have ${what} here`;
}
