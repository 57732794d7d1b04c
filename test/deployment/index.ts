/**
 * `bun run deployment [test ...]`: runs the files of worker/deploy against the real programs. Installs those of Debian
 * where that may be done.
 */
import { spawn, spawnSync, which } from "bun";

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
  process.stdout.write(`Not found, so that tests will fail: ${missing.join(", ")}\n`);

const names = process.argv.slice(2).map((name) => `test/deployment/${name}`);
const chosen = names.length > 0 ? names : ["test/deployment/"];
const command = [
  process.execPath,
  "test",
  "--path-ignore-patterns=**/none/**",
  "--timeout=600000",
  ...chosen,
];
const child = spawn(command, {
  cwd: ROOT,
  env: { ...process.env, PATH },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);
