import { expect, test } from "bun:test";
import { readSources, type Source, violationsOf } from "./sources";

const sources = await readSources();
const product = sources.filter(({ path }) => !path.startsWith("test/"));
const inFolder = (folder: string) => sources.filter(({ path }) => path.startsWith(folder));

/** Where the parts are put together, or a command begins. */
const ENTRY = /^worker\/(?:bun|dev|cloudflare)\.ts$|^worker\/cli\/|^db\/seed\/index\.ts$/;
const ADAPTER = /^worker\/adapters\//;
const isEntry = ({ path }: Source) => ENTRY.test(path);
const isAdapter = ({ path }: Source) => ADAPTER.test(path);
const outside = product.filter((source) => !isEntry(source) && !isAdapter(source));

test("the sources were found, with what they import", () => {
  expect(sources.length).toBeGreaterThan(150);
  const entry = sources.find(({ path }) => path === "worker/bun.ts");
  expect(entry?.imports).toContainEqual({ target: "worker/app", typeOnly: false });
  expect(entry?.imports).toContainEqual({ target: "worker/dependencies", typeOnly: true });
});

test("1: nothing but entries and tests imports an adapter", () => {
  expect(violationsOf(outside, (_, { target }) => ADAPTER.test(target))).toEqual([]);
});

test("1: an adapter knows ports and pure helpers, not the app above it", () => {
  const above = /^worker\/(?:app|features|jobs|middleware)(?:\/|$)/;
  const adapters = product.filter((source) => isAdapter(source) && !isEntry(source));
  expect(violationsOf(adapters, (_, { target, typeOnly }) => above.test(target) && !typeOnly)).toEqual([]);
});

test("1: adapters of one runtime do not know the other's", () => {
  for (const [own, other] of [
    ["bun", "cloudflare"],
    ["cloudflare", "bun"],
  ] as const) {
    const others = new RegExp(`^worker/adapters/${other}/`);
    const folder = inFolder(`worker/adapters/${own}/`).filter((source) => !isEntry(source));
    expect(violationsOf(folder, (_, { target }) => others.test(target))).toEqual([]);
  }
  const shared = inFolder("worker/adapters/shared/");
  expect(
    violationsOf(shared, (_, { target }) => /adapters\/(?:bun|cloudflare)\/|^node:|^bun$/.test(target)),
  ).toEqual([]);
});

test("1: only adapters and entries name Bun, process, D1, R2 or a node: module", () => {
  const allowed = new Map([
    ["worker/lib/password.ts", /^node:crypto$/],
    ["db/libsql.ts", /^node:url$/],
  ]);
  const server = outside.filter(({ path }) => path.startsWith("worker/") || path.startsWith("db/"));
  const imported = violationsOf(
    server,
    ({ path }, { target }) =>
      /^(?:node:|bun$|bun:|cloudflare:)/.test(target) && !allowed.get(path)?.test(target),
  );
  const named = server
    .filter(({ path }) => path !== "db/d1.ts")
    .filter(({ code }) => /\b(?:Bun|process)\.|\b(?:D1Database|R2Bucket)\b/.test(code))
    .map(({ path }) => path);
  expect([...imported, ...named]).toEqual([]);
});

test("2: routes reach the database through its queries, and queries know nothing of the server's work", () => {
  const server = inFolder("worker/");
  expect(violationsOf(server, (_, { target }) => /^db\/schema/.test(target))).toEqual([]);
  const below = [...inFolder("db/schema/"), ...inFolder("db/queries/")];
  const above = /^worker\/(?!contract\/)/;
  expect(violationsOf(below, (_, { target }) => above.test(target))).toEqual([]);
  expect(violationsOf(inFolder("db/schema/"), (_, { target }) => /^db\/queries/.test(target))).toEqual([]);
});

test("2: a service knows nothing of HTTP, and no service or query imports a route", () => {
  const below = product.filter(({ path }) => !/\.routes\.ts$|^worker\/app\.ts$/.test(path));
  expect(violationsOf(below, (_, { target }) => /\.routes$/.test(target))).toEqual([]);
  const services = inFolder("worker/").filter(
    ({ path }) =>
      /^worker\/(?:features|jobs|lib|ports)\/|^worker\/errors\.ts$/.test(path) &&
      !path.endsWith(".routes.ts"),
  );
  expect(violationsOf(services, (_, { target }) => /^worker\/(?:app|middleware\/)/.test(target))).toEqual([]);
});

test("3: drizzle-orm only under db/", () => {
  const elsewhere = product.filter(({ path }) => !path.startsWith("db/"));
  expect(violationsOf(elsewhere, (_, { target }) => /^drizzle-(?:orm|kit)/.test(target))).toEqual([]);
});

test("3: hono only in app.ts, the middleware and the routes, and its client in the browser", () => {
  const allowed = /^worker\/app\.ts$|^worker\/middleware\/|\.routes\.ts$/;
  const elsewhere = product.filter(({ path }) => !allowed.test(path));
  const isClient = ({ path }: Source, target: string) => path.startsWith("web/") && target === "hono/client";
  expect(
    violationsOf(
      elsewhere,
      (source, { target }) => /^@?hono(?:\/|$)/.test(target) && !isClient(source, target),
    ),
  ).toEqual([]);
});

test("5: features import each other in one direction only", () => {
  const imported = new Map<string, Set<string>>();
  for (const { path, imports } of inFolder("worker/features/")) {
    const own = path.split("/")[2] ?? "";
    const others = imported.get(own) ?? new Set();
    for (const { target } of imports) {
      const feature = /^worker\/features\/([^/]+)\//.exec(target)?.[1];
      if (feature && feature !== own) others.add(feature);
    }
    imported.set(own, others);
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(imported.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  expect([...imported.keys()].filter((feature) => reaches(feature, feature))).toEqual([]);
});

test("6: the browser imports of the server only its contract, and the app's type", () => {
  const web = inFolder("web/");
  expect(
    violationsOf(web, (_, { target, typeOnly }) => {
      if (!/^(?:worker|db)\//.test(target)) return false;
      return !target.startsWith("worker/contract/") && !(target === "worker/app" && typeOnly);
    }),
  ).toEqual([]);
});

test("6: the server never imports the browser's code, though a command may build it", () => {
  const server = [...inFolder("worker/"), ...inFolder("db/")];
  const isBuild = (source: Source, target: string) => isEntry(source) && target === "web/build";
  expect(
    violationsOf(server, (source, { target }) => target.startsWith("web/") && !isBuild(source, target)),
  ).toEqual([]);
});

test("6: the contract stands alone", () => {
  const contract = inFolder("worker/contract/");
  expect(
    violationsOf(contract, (_, { target }) => !target.startsWith("worker/contract/") && target !== "zod"),
  ).toEqual([]);
});

test("7: routes stand on features, features on components, components on lib", () => {
  const levels = ["web/lib/", "web/components/", "web/features/", "web/routes/"];
  const levelOf = (path: string) => levels.findIndex((level) => path.startsWith(level));
  const web = inFolder("web/").filter(({ path }) => levelOf(path) >= 0);
  expect(violationsOf(web, ({ path }, { target }) => levelOf(target) > levelOf(path))).toEqual([]);
});

test("7: a feature of the browser uses of another its queries alone", () => {
  const featureOf = (path: string) => /^web\/features\/([^/]+)\//.exec(path)?.[1];
  expect(
    violationsOf(inFolder("web/features/"), ({ path }, { target }) => {
      const other = featureOf(target);
      return other !== undefined && other !== featureOf(path) && !target.endsWith(".queries");
    }),
  ).toEqual([]);
});

test("8: no interactive transaction, which D1 has not and which stalls libSQL", () => {
  const users = product.filter(({ code }) => /\.transaction\s*\(|\bBEGIN\b/.test(code));
  // The client of database files, in which a batch is one synchronous call, asks for its lock by name.
  expect(users.map(({ path }) => path)).toEqual(["db/libsql-file.ts"]);
});

test("9: configuration is read in the entries alone", () => {
  const readers = [...inFolder("worker/"), ...inFolder("db/")].filter(
    (source) => !isEntry(source) && /\bprocess\.env\b|\bBun\.env\b/.test(source.code),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});
