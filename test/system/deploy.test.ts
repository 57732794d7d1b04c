import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "bun";
import { isNewEnough } from "../../worker/cli/cloudflare/find-node";
import { release } from "../../worker/cli/cloudflare/release";
import { settingsFrom } from "../../worker/cli/cloudflare/settings";
import { readWranglerConfig } from "../../worker/cli/cloudflare/wrangler-config";
import { createFakeAccount, type FakeAccount } from "../support/fake-account";

const ROOT = join(import.meta.dir, "../..");
const URL_OF_SITE = "https://doculopes.someone.workers.dev";
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function start(account: FakeAccount, environment: Record<string, string> = {}, folder?: string) {
  const work = folder ?? (await mkdtemp(join(tmpdir(), "doculopes-deploy-")));
  if (!folder) folders.push(work);
  const output: string[] = [];
  const config = await readWranglerConfig();
  const settings = settingsFrom(environment);
  const url = await release({ run: account.run, config, settings, work, print: (line) => output.push(line) });
  return { url, output: output.join("\n"), work };
}

test("an empty account gets a database, a bucket and a configured site", async () => {
  const account = createFakeAccount();
  const { url, output } = await start(account);
  expect(url).toBe(URL_OF_SITE);
  expect(account.databases.map(({ name }) => name)).toEqual(["doculopes"]);
  expect(account.buckets).toEqual(["doculopes-files"]);
  expect(account.migrations).toBe(1);
  const last = account.deployments.at(-1)?.config;
  expect(last?.d1_databases[0]?.database_id).toBe("id-1");
  expect(last?.vars?.PUBLIC_URL).toBe(URL_OF_SITE);
  expect(output).toContain("RESEND_API_KEY is not set");
  expect(output).toContain("no SMS is sent");
});

test("a second run creates nothing and deploys once", async () => {
  const account = createFakeAccount();
  const { work } = await start(account);
  account.commands.length = 0;
  const { url } = await start(account, {}, work);
  expect(url).toBe(URL_OF_SITE);
  expect(account.commands.filter((command) => /create/.test(command))).toEqual([]);
  expect(account.commands.filter((command) => command.startsWith("deploy"))).toHaveLength(1);
});

test("variables of the environment reach the site, secrets as secrets, and no copy remains", async () => {
  const account = createFakeAccount();
  const { url, output, work } = await start(account, {
    PUBLIC_URL: "https://docs.example.com",
    MAIL_FROM: "Docs <docs@example.com>",
    RESEND_API_KEY: "re_secret",
    DATABASE_URL: "file:not-for-workers.db",
  });
  expect(url).toBe("https://docs.example.com");
  const [deployment, ...more] = account.deployments;
  expect(more).toEqual([]);
  expect(deployment?.config.vars).toMatchObject({
    PUBLIC_URL: "https://docs.example.com",
    MAIL_FROM: "Docs <docs@example.com>",
  });
  expect(deployment?.secrets).toEqual({ RESEND_API_KEY: "re_secret" });
  expect(JSON.stringify(deployment?.config)).not.toMatch(/re_secret|not-for-workers/);
  expect(output).not.toContain("RESEND_API_KEY");
  for (const name of await readdir(work))
    expect(await Bun.file(join(work, name)).text()).not.toContain("re_secret");
});

test("a missing login is reported before anything is changed", async () => {
  const account = createFakeAccount();
  account.signedIn = false;
  await expect(start(account)).rejects.toThrow("Not signed in to Cloudflare");
  expect(account.commands).toEqual(["whoami"]);
});

test("the dry run needs no account, and the Worker stays below 1 MB compressed", async () => {
  const child = spawn([process.execPath, "worker/cli/cloudflare/deploy.ts", "--dry-run"], {
    cwd: ROOT,
    env: { ...process.env, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, problems]).toEqual([0, ""]);
  const compressed = Number(/(\d+) KiB compressed/.exec(output)?.[1]);
  expect(compressed).toBeGreaterThan(50);
  expect(compressed).toBeLessThan(1000);
}, 60_000);

test("only a Node version that wrangler supports is used", () => {
  for (const version of ["22.12.0", "22.23.3", "24.0.0"]) expect(isNewEnough(version)).toBe(true);
  for (const version of ["20.20.2", "22.11.0", "", undefined]) expect(isNewEnough(version)).toBe(false);
});
