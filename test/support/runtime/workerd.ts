import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { file } from "bun";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { bundleForWorkerd } from "../../../worker/cli/cloudflare/bundle-worker";
import { writeApiDescription } from "../../../worker/cli/cloudflare/stage-assets";
import { appConfig, readVariables } from "../../../worker/config";
import { onCleanup } from "../cleanup";
import { makeFolder } from "../temporary-folder";
import { readSchema } from "./migrated";
import { type RuntimeOptions, TEST_START, type TestRuntime } from "./runtime";
import type { StartBody } from "./workerd-entry";

const ROOT = join(import.meta.dir, "../../..");
const MIGRATIONS = join(ROOT, "db/migrations");
/** A connection that was idle for five seconds is closed by workerd, perhaps just as the next request is sent on it. */
const NEW_CONNECTION = { keepalive: false };
/** Each started app takes an unused database and bucket. Bound but unused ones cost nothing. */
const INSTANCES = 300;

/** One workerd for all the test files of this process. */
let shared: Promise<URL> | undefined;
let schema: Promise<string[]> | undefined;
let started = 0;

export type WorkerdInstance = {
  /** Where this process reaches workerd. */
  origin: string;
  id: string;
  /** The app's own origin. */
  publicUrl: string;
  fetch(request: Request): Promise<Response>;
  // The type of the response depends on the command; each caller knows it.
  command(name: string, argument?: string): Promise<ReturnType<typeof JSON.parse>>;
};

/** The app in workerd: D1, R2 and the Worker's own dependencies, except for clock, mail and the cost of a hash. */
export async function startWorkerdRuntime(
  options: RuntimeOptions = {},
): Promise<TestRuntime & { failStore(fails: boolean): Promise<unknown> }> {
  const { publicUrl, fetch, command } = await startInstance(options);
  return {
    name: "workerd",
    origin: publicUrl,
    fetch,
    setClock: (time) => command("setClock", time),
    finishBackgroundWork: () => command("finishBackgroundWork"),
    runJobs: () => command("runJobs"),
    mails: () => command("mails"),
    texts: () => command("texts"),
    setMail: (state) => command("setMail", state),
    logs: () => command("logs"),
    storedFiles: () => command("storedFiles"),
    select: (statement) => command("select", statement),
    execute: (statement) => command("execute", statement),
    stop: () => command("finishBackgroundWork"),
    failStore: (fails) => command("failR2", String(fails)),
  };
}

/** An instance with a migrated database and a bucket of its own, in the workerd of this process. */
export async function startInstance(options: RuntimeOptions = {}): Promise<WorkerdInstance> {
  shared ??= startWorkerd();
  schema ??= readMigrated();
  const id = String(started);
  started += 1;
  const { origin } = await shared;
  const { publicUrl } = appConfig(readVariables({ PUBLIC_URL: options.publicUrl }));
  const command: WorkerdInstance["command"] = async (name, argument = "") => {
    const response = await fetch(origin, {
      method: "POST",
      headers: { "x-test-instance": id, "x-test-command": name },
      body: argument,
      ...NEW_CONNECTION,
    });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    return response.json();
  };
  const body: StartBody = { ...options, now: TEST_START, schema: await schema };
  await command("start", JSON.stringify(body));
  return { origin, id, publicUrl, fetch: (request) => forward(request, origin, id), command };
}

/** Sends a request for the app's origin to workerd's real address. */
async function forward(request: Request, origin: string, id: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("x-test-instance", id);
  // Otherwise workerd is asked for gzip, and the response no longer has its length.
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  const { method } = request;
  // A body with an end is sent with its length, as a browser does.
  const ends = headers.has("content-type") && !headers.has("x-test-streamed");
  const body = request.body && ends ? await request.blob() : request.body;
  return fetch(`${origin}${pathname}${search}`, {
    method,
    headers,
    body,
    redirect: "manual",
    ...NEW_CONNECTION,
  });
}

async function startWorkerd(): Promise<URL> {
  const ids = Array.from({ length: INSTANCES }, (_, index) => index);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: await workerModules("test/support/runtime/workerd-entry.ts"),
      modulesRoot: ROOT,
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat"],
      d1Databases: { ...Object.fromEntries(ids.map((id) => [`DB${id}`, `db${id}`])), COPY: "copy" },
      r2Buckets: Object.fromEntries(ids.map((id) => [`FILES${id}`, `files${id}`])),
      serviceBindings: { ASSETS: await stageTexts() },
      cf: false,
      log: new Log(LogLevel.WARN),
    }),
  );
  onCleanup(() => {
    // A later file of the same process starts another one.
    shared = undefined;
    return miniflare.dispose();
  });
  return miniflare.ready;
}

/** What the Worker reads from its static assets, served from a folder. */
export async function stageTexts(): Promise<{ disk: { path: string } }> {
  const path = makeFolder();
  await cp(join(ROOT, "locales"), join(path, "locales"), { recursive: true });
  await writeApiDescription(path);
  return { disk: { path } };
}

/** The modules of a Worker made from the entry at the path. */
export async function workerModules(entry: string, { minify = false } = {}) {
  const { modules } = await bundleForWorkerd(entry, { minify });
  return modules.map(({ name, text, readAtStart }) => ({
    type: "ESModule" as const,
    path: join(ROOT, name),
    contents: text,
    readAtStart,
  }));
}

/** The statements of all migrations, in order. */
export async function readMigrations(): Promise<string[]> {
  const names = await migrationNames();
  const scripts = await Promise.all(names.map((name) => file(join(MIGRATIONS, name)).text()));
  return [
    ...scripts.flatMap((script) => script.split("--> statement-breakpoint")),
    ...recordMigrations(names),
  ];
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort();
}

/** As wrangler records them. */
const recordMigrations = (names: string[]): string[] => [
  "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
  `INSERT INTO d1_migrations (name) VALUES ${names.map((name) => `('${name}')`).join()}`,
];

async function readMigrated(): Promise<string[]> {
  return [...(await readSchema()), ...recordMigrations(await migrationNames())];
}
