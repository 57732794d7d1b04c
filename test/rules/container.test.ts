import { expect, test } from "bun:test";
import { join } from "node:path";
import { file, spawn } from "bun";
import manifest from "../../package.json";
import { ROOT } from "./sources";

const dockerfile = await file(join(ROOT, "Dockerfile")).text();
const [, build = "", image = "", ...more] = dockerfile.split(/^FROM /m);
const bunVersion = manifest.devDependencies["bun-types"];

test("the container is built with the Bun version of the tests, from images with a version", async () => {
  const ci = await file(join(ROOT, ".ci/run")).text();
  expect(more).toEqual([]);
  expect(build).toStartWith(`oven/bun:${bunVersion} AS build\n`);
  expect(ci).toContain(`bun@${bunVersion} `);
  expect(image).toMatch(/^debian:[a-z]+-slim\n/);
});

test("the image contains only the executable and the backup script, and runs it as an unprivileged user", () => {
  expect(image.match(/^(?:COPY|ADD) .*$/gm)).toEqual([
    "COPY --from=build /build/doculopes /usr/local/bin/doculopes",
    "COPY worker/deploy/backup.sh /usr/local/bin/doculopes-backup",
  ]);
  expect(image).toContain("\nUSER 10001:10001\n");
  expect(image).toContain("RUN install -d -o 10001 -g 10001 ");
  expect(image).toContain('\nENTRYPOINT ["doculopes"]');
  expect(image).toMatch(/^HEALTHCHECK .*CMD \["doculopes", "ready", "--running"\]$/m);
});

test("the image is built without BuildKit, which Debian 12's docker-compose does not use", () => {
  expect(dockerfile).not.toMatch(/^(?:COPY|ADD|RUN) .*--(?:chmod|link|mount|exclude|parents)|<<|^# *syntax/m);
  expect(image).toContain("\nRUN chmod 0755 /usr/local/bin/doculopes-backup\n");
});

test("data is in the volume, and the server listens on every interface", () => {
  expect(image).toContain("\nENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BACKUPS=/backups\n");
  expect(image).toContain("\nVOLUME /data\n");
  expect(image).toContain("\nEXPOSE 3000\n");
});

test("the build context contains only sources: no data, secrets or history", async () => {
  const rules = (await file(join(ROOT, ".dockerignore")).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const copied = [...build.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, paths = ""]) => paths.split(" "));
  expect(rules).toEqual([
    "*",
    ...copied.map((path) => `!${path}`),
    "web/dist",
    "worker/dist",
    "worker/deploy/.env",
  ]);
});

test("the image's deployment tests are skipped with a message if no container engine is available", async () => {
  const command = [process.execPath, "test/deployment/index.ts", "container.test.ts"];
  const child = spawn(command, { cwd: ROOT, env: { PATH: "/nonexistent" }, stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toMatch(
    /^Skipped: container\.test\.ts, because this machine has no podman, .*\n$/m,
  );
  expect(await child.exited).toBe(0);
});
