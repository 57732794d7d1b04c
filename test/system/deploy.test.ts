import { expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { file, spawn, write } from "bun";
import { StartError } from "../../worker/adapters/bun/start-error";
import { isNewEnough } from "../../worker/cli/cloudflare/find-node";
import { release } from "../../worker/cli/cloudflare/release";
import { settingsFrom } from "../../worker/cli/cloudflare/settings";
import { wranglerByBun } from "../../worker/cli/cloudflare/wrangler";
import { readWranglerConfig } from "../../worker/cli/cloudflare/wrangler-config";
import type { Transport } from "../../worker/lib/security-headers";
import { startCloudflareApi } from "../support/servers/cloudflare-api";
import { createFakeAccount, type FakeAccount } from "../support/servers/fake-account";
import { makeFolder } from "../support/temporary-folder";

const ROOT = join(import.meta.dir, "../..");
const URL_OF_SITE = "https://doculopes.someone.workers.dev";

/** A deployment from a fresh clone, with this in its wrangler.toml. */
async function start(
  { run }: Pick<FakeAccount, "run">,
  environment: Record<string, string> = {},
  ownConfig: object = {},
  confirm = async () => {},
) {
  const work = makeFolder();
  const directory = join(work, "assets");
  await mkdir(directory);
  await write(join(directory, "index.html"), "<!doctype html>");
  const config = await readWranglerConfig();
  const main = join(work, "cloudflare.js");
  await write(main, "export default {};");
  const output: string[] = [];
  const staged: Transport[] = [];
  const url = await release({
    run,
    config: { ...config, main, assets: { ...config.assets, directory }, ...ownConfig },
    settings: settingsFrom(environment),
    stageAssets: async (transport) => void staged.push(transport),
    work,
    print: (line) => output.push(line),
    confirm,
  });
  return { url, output: output.join("\n"), work, staged };
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
  expect(output).toContain("Sign-up: SIGN_UP is not set, so only the first account can be created");
  expect((await start(account, { SIGN_UP: "invite" })).output).not.toContain("Sign-up: SIGN_UP");
});

test("a webhook to the Worker's own zone passes the zone's rules as any other request", async () => {
  const account = createFakeAccount();
  await start(account);
  const flags = account.deployments.at(-1)?.config.compatibility_flags;
  expect(flags).toContain("global_fetch_strictly_public");
});

test("a second run creates nothing and deploys once", async () => {
  const account = createFakeAccount();
  await start(account);
  account.commands.length = 0;
  const { url } = await start(account);
  expect(url).toBe(URL_OF_SITE);
  expect(account.commands.filter((command) => /create/.test(command))).toEqual([]);
  expect(account.commands.filter((command) => /^deploy\b/.test(command))).toHaveLength(1);
});

test("the first deployment creates the secret key, and no other replaces it", async () => {
  const account = createFakeAccount();
  const { output } = await start(account);
  expect(output).toContain("Creating SECRET_KEY");
  const { SECRET_KEY = "" } = account.deployments[0]?.secrets ?? {};
  expect(SECRET_KEY.length).toBeGreaterThan(40);
  expect(output).not.toContain(SECRET_KEY);
  const later = await start(account);
  expect(later.output).not.toContain("SECRET_KEY");
  expect(account.deployments.slice(1).map(({ secrets }) => secrets.SECRET_KEY)).toEqual([
    undefined,
    undefined,
  ]);
  const given = createFakeAccount();
  const key = "a-key-that-the-operator-has-made-before";
  await start(given, { SECRET_KEY: key });
  expect(given.deployments[0]?.secrets.SECRET_KEY).toBe(key);
});

test("a secret key of a local server does not replace the deployed one", async () => {
  const account = createFakeAccount();
  await start(account);
  const local = { SECRET_KEY: "the-key-of-a-server-on-this-machine", RESEND_API_KEY: "re_secret" };
  const { output } = await start(account, local);
  expect(account.deployments.at(-1)?.secrets).toEqual({ RESEND_API_KEY: "re_secret" });
  expect(output).toContain("SECRET_KEY stays as it is deployed; `bunx wrangler secret put SECRET_KEY`");
  expect(output).toContain("Setting:\n  RESEND_API_KEY: unset → the secret given\n");
  expect(output).not.toMatch(/on-this-machine|re_secret/);
});

test("nothing is migrated if wrangler rejects the Worker", async () => {
  const account = createFakeAccount();
  await start(account);
  account.undeployable = "The route is wrong";
  await expect(start(account)).rejects.toThrow(
    "The Worker cannot be deployed, so nothing was migrated:\nThe route is wrong",
  );
  expect(account.migrations).toBe(1);
  expect(account.deployments).toHaveLength(2);
});

test("a deployment from elsewhere keeps every variable that neither it nor wrangler.toml sets", async () => {
  const account = createFakeAccount();
  await start(account, {
    PUBLIC_URL: "https://docs.example.com",
    MAIL_FROM: "Docs <docs@example.com>",
    RESEND_API_KEY: "re_secret",
    MAX_FILE_MB: "80",
    HSTS_SUBDOMAINS: "on",
  });
  account.vars.SUPPORT_EMAIL = "help@example.com";
  account.targets = ["docs.example.com (custom domain)", "https://doculopes.someone.workers.dev"];
  const { url, output, staged } = await start(
    account,
    { SIGN_UP: "invite" },
    { vars: { MAX_FILE_MB: "70" } },
  );
  expect(url).toBe("https://docs.example.com");
  expect(account.deployments).toHaveLength(2);
  expect(account.vars).toEqual({
    PUBLIC_URL: "https://docs.example.com",
    MAIL_FROM: "Docs <docs@example.com>",
    MAX_FILE_MB: "70",
    HSTS_SUBDOMAINS: "on",
    SIGN_UP: "invite",
    SUPPORT_EMAIL: "help@example.com",
  });
  expect(staged).toEqual([{ https: true, subdomains: true }]);
  expect(output).not.toMatch(/RESEND_API_KEY|MAIL_FROM|SUPPORT_EMAIL/);
});

test.each([
  [["docs.example.com (custom domain)"], "https://docs.example.com"],
  [["https://doculopes.someone.workers.dev", "docs.example.com (custom domain)"], "https://docs.example.com"],
  [["schedule: * * * * *", "docs.example.com/* (zone name: example.com)"], "https://docs.example.com"],
  [["*.example.com/* (zone id: 1)", "example.com/docs/*", URL_OF_SITE], URL_OF_SITE],
])("of %j, the first deployment takes %s as PUBLIC_URL", async (targets, origin) => {
  const account = createFakeAccount();
  account.targets = targets;
  expect((await start(account)).url).toBe(origin);
  expect(account.vars.PUBLIC_URL).toBe(origin);
});

test("a Worker without an address is reported", async () => {
  const account = createFakeAccount();
  account.targets = ["schedule: * * * * *", "*.example.com/* (zone id: 1)"];
  await expect(start(account)).rejects.toThrow("has no address: set workers_dev or a route");
});

test("a domain that was added later does not change the links, and is named; a broken address is replaced", async () => {
  const account = createFakeAccount();
  await start(account);
  account.targets.push("docs.example.com (custom domain)");
  const kept = await start(account);
  expect(kept.url).toBe(URL_OF_SITE);
  expect(kept.output).toContain("deploy with PUBLIC_URL=https://docs.example.com to use it");
  account.vars.PUBLIC_URL = "https://docs.example.com (custom domain)";
  expect((await start(account)).url).toBe("https://docs.example.com");
  expect(account.vars.PUBLIC_URL).toBe("https://docs.example.com");
});

test("nothing is deployed if what is deployed cannot be read", async () => {
  const account = createFakeAccount();
  await start(account, { PUBLIC_URL: "https://docs.example.com" });
  account.unreadable = "fetch failed";
  await expect(start(account)).rejects.toThrow("The deployed Worker could not be read:\nfetch failed");
  expect(account.deployments).toHaveLength(1);
});

test("Cloudflare's mail, switched on in another clone, stays on", async () => {
  const account = createFakeAccount();
  const mail = [{ name: "MAIL", allowed_sender_addresses: ["docs@example.com"] }];
  await start(account, {}, { send_email: mail });
  const { output } = await start(account);
  expect(account.deployments.at(-1)?.config.send_email).toEqual(mail);
  expect(output).not.toContain("RESEND_API_KEY");
});

test("a database or bucket with another name than in this clone is never replaced by an empty one", async () => {
  const account = createFakeAccount();
  const { d1_databases, r2_buckets } = await readWranglerConfig();
  const named = {
    d1_databases: d1_databases.map((database) => ({ ...database, database_name: "papers" })),
    r2_buckets: r2_buckets.map((bucket) => ({ ...bucket, bucket_name: "papers-files" })),
  };
  await start(account, {}, named);
  const { length } = account.deployments;
  await expect(start(account)).rejects.toThrow("The deployed Worker uses the D1 database papers: write");
  const { r2_buckets: _, ...database } = named;
  await expect(start(account, {}, database)).rejects.toThrow("uses the R2 bucket papers-files: write");
  expect(account.deployments).toHaveLength(length);
  expect([account.databases.length, account.buckets]).toEqual([1, ["papers-files"]]);
  await start(account, {}, named);
});

test("the address of a local server is not deployed, and a variable that changes is shown and confirmed", async () => {
  const account = createFakeAccount();
  await start(account, { PUBLIC_URL: "https://docs.example.com", SIGN_UP: "invite" });
  for (const PUBLIC_URL of ["http://localhost:3000", "http://127.0.0.1:3000", "https://docs.localhost"])
    await expect(start(account, { PUBLIC_URL })).rejects.toThrow("which leads to this machine");
  const refuse = () => Promise.reject(new StartError("Nothing was deployed"));
  expect((await start(account, {}, {}, refuse)).output).not.toContain("Setting");
  const { length } = account.deployments;
  const local = { SIGN_UP: "open", RATE_LIMITS: "off", RESEND_API_KEY: "re_local" };
  await expect(start(account, local, {}, refuse)).rejects.toThrow("Nothing was deployed");
  expect([account.deployments.length, account.migrations]).toEqual([length, length]);
  const { output } = await start(account, local);
  expect(output).toContain(
    "Setting:\n  RATE_LIMITS: unset → off\n  RESEND_API_KEY: unset → the secret given\n  SIGN_UP: invite → open\n",
  );
  expect(account.vars.PUBLIC_URL).toBe("https://docs.example.com");
});

test("an address that is stored as a secret is not replaced by workers.dev", async () => {
  const account = createFakeAccount();
  await start(account);
  delete account.vars.PUBLIC_URL;
  account.secretNames.push("PUBLIC_URL");
  await expect(start(account)).rejects.toThrow("PUBLIC_URL is deployed as a secret, which cannot be read");
  expect(account.vars.PUBLIC_URL).toBeUndefined();
});

test("the variables are checked together with those that are deployed", async () => {
  const account = createFakeAccount();
  const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_FROM: "+15550001111" };
  await expect(start(account, twilio)).rejects.toThrow("TWILIO_AUTH_TOKEN must be set too");
  await start(account, { ...twilio, TWILIO_AUTH_TOKEN: "secret" });
  await start(account, { TWILIO_FROM: "+15550002222" });
  expect(account.vars).toMatchObject({ TWILIO_ACCOUNT_SID: "AC1", TWILIO_FROM: "+15550002222" });
  await expect(start(account, { MAX_FILE_MB: "plenty" })).rejects.toThrow('MAX_FILE_MB is "plenty"');
  expect(account.deployments).toHaveLength(3);
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
  expect(deployment?.secrets).toEqual({ RESEND_API_KEY: "re_secret", SECRET_KEY: expect.any(String) });
  expect(JSON.stringify(deployment?.config)).not.toMatch(/re_secret|not-for-workers/);
  expect(output).toContain(
    "Setting:\n  MAIL_FROM: unset → Docs <docs@example.com>\n  PUBLIC_URL: unset → https://docs.example.com\n  RESEND_API_KEY: unset → the secret given\n",
  );
  expect(output).not.toContain("RESEND_API_KEY is not set");
  for (const name of await readdir(work, { recursive: true }))
    if (name !== "assets") expect(await file(join(work, name)).text()).not.toContain("re_secret");
});

test("a missing login is reported before anything is changed", async () => {
  const account = createFakeAccount();
  account.signedIn = false;
  await expect(start(account)).rejects.toThrow("Not signed in to Cloudflare");
  expect(account.commands).toEqual(["whoami"]);
});

test("wrangler itself, with a custom domain: a second deployment from another clone keeps address, variables and secrets", async () => {
  const api = startCloudflareApi();
  const run = wranglerByBun();
  const logs = makeFolder();
  const account = {
    ...{ CLOUDFLARE_API_BASE_URL: api.url, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_ACCOUNT_ID: "account" },
    XDG_CONFIG_HOME: logs,
  };
  const wrangler = { run: (args: string[], env = {}) => run(args, { ...account, ...env }) };
  const own = { routes: [{ pattern: "docs.example.com", custom_domain: true }], workers_dev: false };
  const wrong = { routes: [{ pattern: "docs.example.com/*", custom_domain: true }] };
  await expect(start(wrangler, {}, wrong)).rejects.toThrow("so nothing was migrated");
  const first = await start(wrangler, { MAIL_FROM: "Docs <docs@example.com>", RESEND_API_KEY: "re" }, own);
  expect(first.url).toBe("https://docs.example.com");
  expect(first.output).toContain("Deploying again, with PUBLIC_URL https://docs.example.com\n");
  const second = await start(wrangler, { SIGN_UP: "invite" }, own);
  expect(second.url).toBe("https://docs.example.com");
  expect(second.output).not.toMatch(/RESEND_API_KEY|MAIL_FROM is not|Creating|again/);
  expect(api.versions).toHaveLength(3);
  const variables = api.versions.at(-1)?.flatMap(({ name, text }) => (text ? [[name, text]] : []));
  expect(Object.fromEntries(variables ?? [])).toEqual({
    PUBLIC_URL: "https://docs.example.com",
    MAIL_FROM: "Docs <docs@example.com>",
    SIGN_UP: "invite",
  });
  expect(api.versions.at(-1)).toContainEqual({ type: "secret_text", name: "RESEND_API_KEY" });
  await api.stop();
}, 480_000);

test("the dry run needs no account, and the Worker stays below 256 KiB compressed", async () => {
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
  expect(compressed).toBeLessThan(256);
  const script = await file(join(ROOT, ".wrangler/release/dry-run/worker/cloudflare.js")).text();
  expect(script).toContain("contact_not_found");
}, 300_000);

test("`bun run deploy` reads no .env, which is a local server's", async () => {
  const folder = makeFolder();
  const { scripts } = await file(join(ROOT, "package.json")).json();
  const [, command = ""] = /&& bun (.*)$/.exec(scripts.deploy) ?? [];
  await write(join(folder, ".env"), "SIGN_UP=from-a-file\n");
  const script = join(folder, "script.ts");
  await write(script, 'console.log(process.env.SIGN_UP ?? "unset")');
  const args = command.replace("worker/cli/cloudflare/deploy.ts", script).split(" ");
  const child = spawn([process.execPath, ...args], { cwd: folder, stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("unset\n");
});

test("only a Node version that wrangler supports is used", () => {
  for (const version of ["22.12.0", "22.23.3", "24.0.0"]) expect(isNewEnough(version)).toBe(true);
  for (const version of ["20.20.2", "22.11.0", "", undefined]) expect(isNewEnough(version)).toBe(false);
});
