import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { file, Glob, semver } from "bun";
import manifest from "../../package.json";
import { NOTIFICATION_KINDS } from "../../worker/contract/notifications";
import timings from "../timings.json";
import workerdTimings from "../timings-workerd.json";
import { ROOT, readSources } from "./sources";

const sources = await readSources();
const product = sources.filter(({ path }) => !path.startsWith("test/"));

/** Older versions have known vulnerabilities. The registry's own audit is not available everywhere. */
const LOWEST = { hono: "4.13.7", "drizzle-orm": "0.45.2", nodemailer: "10.4.1" };

test("packages with known vulnerabilities are newer than those", async () => {
  for (const [name, lowest] of Object.entries(LOWEST)) {
    const installed = await file(join(ROOT, "node_modules", name, "package.json")).json();
    expect(semver.order(installed.version, lowest), `${name} ${installed.version}`).toBeGreaterThanOrEqual(0);
  }
});

test("every package is pinned to one version", () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    .map(([name]) => name);
  expect(ranges).toEqual([]);
});

test("routes return JSON with `respond`, which compares it with their description", () => {
  const others = product.filter(({ path, code }) => path.endsWith(".routes.ts") && code.includes("c.json("));
  expect(others.map(({ path }) => path)).toEqual([]);
});

test("every kind of notification is queued somewhere", () => {
  const kinds = Object.keys(NOTIFICATION_KINDS);
  const queueing = product.filter(
    ({ path }) => !/contract\/notifications\.ts$|\/notification-kinds\.ts$|[-/]mails\.ts$/.test(path),
  );
  const named = kinds.filter((kind) => queueing.some(({ code }) => code.includes(`"${kind}"`)));
  expect(named).toEqual(kinds);
});

test("the top level has exactly the planned folders", async () => {
  const folders = (await readdir(ROOT, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .filter((name) => !["node_modules", "data"].includes(name));
  expect(folders.sort()).toEqual(["db", "locales", "test", "web", "worker"]);
});

test("test/timings.json and timings-workerd.json name only files that exist", async () => {
  const named = [timings, workerdTimings].flatMap(({ files }) => Object.keys(files));
  const exist = await Promise.all(named.map((path) => file(join(ROOT, path)).exists()));
  expect(named.filter((_, index) => !exist[index])).toEqual([]);
});

test("a file's name has at most one role", () => {
  const name = /^[^.]+(?:\.(?:d|test|routes|service|sender|queries|schema|config))?\.tsx?$/;
  const others = sources.filter(({ path }) => !name.test(path.split("/").at(-1) ?? ""));
  expect(others.map(({ path }) => path)).toEqual([]);
});

test("no check is disabled", () => {
  const disabled = /@ts-(?:ignore|nocheck|expect-error)|biome-ignore|eslint-disable/;
  expect(product.filter(({ text }) => disabled.test(text)).map(({ path }) => path)).toEqual([]);
});

test("no file names a package registry or a path of somebody's machine", async () => {
  const pattern = new RegExp(
    ["registry\\.(?:npmjs|yarnpkg)", "npmmirror", "/(?:home|Users)/\\w", "/root/", "/work/\\w"].join("|"),
  );
  const others = new Glob(
    "{*.{json,toml,md,lock},.ci/*,.env.example,.gitignore,locales/**/*.json,web/*.html}",
  );
  const paths = await Array.fromAsync(others.scan({ cwd: ROOT, dot: true }));
  const texts = await Promise.all(
    paths.map(async (path) => ({ path, text: await file(join(ROOT, path)).text() })),
  );
  const named = [...sources, ...texts].filter(
    ({ path, text }) => path !== "test/rules/repository.test.ts" && pattern.test(text),
  );
  expect(named.map(({ path }) => path)).toEqual([]);
});
