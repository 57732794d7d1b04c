import { rm } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { StartError } from "../../adapters/bun/start-error";
import { readVariables } from "../../config";
import { isLoopback } from "../../lib/public-address";
import type { Transport } from "../../lib/security-headers";
import { randomToken } from "../../lib/tokens";
import {
  type Deployed,
  ensureBucket,
  ensureDatabase,
  orThrow,
  readDeployed,
  requireLogin,
  requireUsedStores,
} from "./cloud-resources";
import { type Settings, unsetAdvice } from "./settings";
import type { RunWrangler } from "./wrangler";
import { type WranglerConfig, writeWranglerConfig } from "./wrangler-config";

export type Release = {
  run: RunWrangler;
  config: WranglerConfig;
  settings: Settings;
  /** Builds the static assets, whose headers depend on the variables. */
  stageAssets(transport: Transport): Promise<unknown>;
  /** A folder for temporary files, which may remain. */
  work: string;
  print: (line: string) => void;
  /** Asks whether what was printed may be changed. @throws StartError if not */
  confirm: () => Promise<void>;
};

/**
 * Creates what the configuration needs in the account, deploys, and returns the site's address. Keeps what already
 * exists and each deployed variable that neither the environment nor wrangler.toml sets, so it can be run repeatedly
 * and from anywhere.
 * @throws StartError or ConfigError with a one-line reason
 */
export async function release({
  run,
  config: given,
  settings,
  stageAssets,
  work,
  print,
  confirm,
}: Release): Promise<string> {
  await requireLogin(run);
  const deployed = withoutInvalidUrl(await readDeployed(run, given.name));
  // Uncommented in another clone's wrangler.toml.
  const config = { ...given, send_email: given.send_email ?? deployed.sendEmail };
  const newSecrets = withSecretKey(settings.secrets, deployed.secrets, print);
  const secrets = [...deployed.secrets, ...Object.keys(newSecrets)];
  const kept = Object.entries(deployed.vars).filter(([name]) => !secrets.includes(name));
  const vars = { ...Object.fromEntries(kept), ...config.vars, ...settings.vars };
  requirePublicUrl(vars, secrets);
  requireValid(vars, secrets);
  const changes = changesOf(deployed, vars, settings.secrets, newSecrets);
  if (changes.length > 0) {
    for (const line of ["Setting:", ...changes]) print(line);
    // Otherwise it is the first deployment.
    if (Object.keys(deployed.vars).length + deployed.secrets.length > 0) await confirm();
  }
  await stageAssets({ https: true, subdomains: vars.HSTS_SUBDOMAINS === "on" });

  const [database] = config.d1_databases;
  const [bucket] = config.r2_buckets;
  if (!database || !bucket) throw new StartError("wrangler.toml must bind one D1 database and one R2 bucket");
  await requireUsedStores(run, deployed, { database, bucket });
  const database_id = await ensureDatabase(run, database.database_name, print);
  await ensureBucket(run, bucket.bucket_name, print);

  const path = join(work, "wrangler.json");
  const complete = { ...config, d1_databases: [{ ...database, database_id }], vars };
  await writeWranglerConfig(path, complete);
  // The deployed version cannot work with a migrated database, so what can be checked is checked before.
  const check = ["deploy", "--dry-run", "--config", path];
  orThrow("The Worker cannot be deployed, so nothing was migrated", await run(check));
  print("Applying migrations");
  const migrate = ["d1", "migrations", "apply", database.binding, "--remote", "--config", path];
  orThrow("The migrations could not be applied", await run(migrate));

  print("Deploying");
  const origins = await deployOnce(run, path, newSecrets, work);
  const publicUrl = vars.PUBLIC_URL ?? (await deployWithUrl({ run, complete, path, origins, work, print }));
  for (const line of adviceOnUrl(publicUrl, origins)) print(line);
  advise({ vars, secrets, config, print });
  return new URL(publicUrl).origin;
}

/** What a deployment changes, a line for each variable. Cloudflare shows no secret. */
function changesOf(
  deployed: Deployed,
  vars: Record<string, string>,
  given: Record<string, string>,
  newSecrets: Record<string, string>,
): string[] {
  const changed = Object.entries(vars).filter(([name, value]) => deployed.vars[name] !== value);
  const secrets = Object.keys(newSecrets).filter((name) => Object.hasOwn(given, name));
  return [
    ...changed.map(([name, value]) => `  ${name}: ${deployed.vars[name] ?? "unset"} → ${value}`),
    ...secrets.map(
      (name) => `  ${name}: ${deployed.secrets.includes(name) ? "a secret" : "unset"} → the secret given`,
    ),
  ].sort();
}

/** Versions before 0.2 could deploy wrangler's description of a domain as the address. */
function withoutInvalidUrl({ vars, ...deployed }: Deployed): Deployed {
  const { PUBLIC_URL, ...others } = vars;
  return { ...deployed, vars: PUBLIC_URL && URL.canParse(PUBLIC_URL) ? vars : others };
}

/**
 * Requires that the links in mails will lead to the site.
 * @throws StartError if PUBLIC_URL is that of a local server, or a secret, which cannot be read
 */
function requirePublicUrl({ PUBLIC_URL }: Record<string, string>, secrets: string[]): void {
  if (PUBLIC_URL && isLoopback(URL.parse(PUBLIC_URL)?.hostname ?? ""))
    throw new StartError(
      `PUBLIC_URL is ${PUBLIC_URL}, which leads to this machine: set the address of the site, or unset it`,
    );
  if (secrets.includes("PUBLIC_URL"))
    throw new StartError(
      "PUBLIC_URL is deployed as a secret, which cannot be read: run `wrangler secret delete PUBLIC_URL`, then deploy with PUBLIC_URL set to the same address",
    );
}

/** Checks the variables together, as the Worker will read them. @throws ConfigError */
function requireValid(vars: Record<string, string>, secrets: string[]): void {
  const unknown = "a-secret-that-cannot-be-read-here";
  readVariables({ ...Object.fromEntries(secrets.map((name) => [name, unknown])), ...vars });
}

/**
 * The secrets to deploy. What SECRET_KEY encrypts needs the same key for ever, and Cloudflare shows it to nobody: a Worker
 * that has none gets one, and a deployed one stays, even if the environment is a local server's.
 */
function withSecretKey(
  { SECRET_KEY, ...others }: Record<string, string>,
  deployed: readonly string[],
  print: (line: string) => void,
): Record<string, string> {
  if (deployed.includes("SECRET_KEY")) {
    if (SECRET_KEY)
      print(
        "SECRET_KEY stays as it is deployed; `bunx wrangler secret put SECRET_KEY` replaces it on purpose",
      );
    return others;
  }
  if (!SECRET_KEY) print("Creating SECRET_KEY");
  return { ...others, SECRET_KEY: SECRET_KEY ?? randomToken() };
}

/** Deploys with the given secrets and returns the origins that wrangler reports. */
async function deployOnce(
  run: RunWrangler,
  path: string,
  secrets: Record<string, string>,
  work: string,
): Promise<string[]> {
  const report = join(work, "report.ndjson");
  const secretsFile = join(work, "secrets.json");
  await rm(report, { force: true });
  try {
    const extra = Object.keys(secrets).length > 0 ? ["--secrets-file", secretsFile] : [];
    if (extra.length > 0) await write(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const result = await run(["deploy", "--keep-vars", "--config", path, ...extra], {
      WRANGLER_OUTPUT_FILE_PATH: report,
    });
    orThrow("The Worker could not be deployed", result);
    return originsIn(await file(report).text());
  } finally {
    await rm(secretsFile, { force: true });
  }
}

/** The origins in wrangler's report: domains of its own first, then workers.dev. */
function originsIn(report: string): string[] {
  const lines = report.split("\n").filter(Boolean);
  const targets: unknown[] = lines.flatMap((line) => {
    const { type, targets } = JSON.parse(line);
    return type === "deploy" && Array.isArray(targets) ? targets : [];
  });
  const origins = targets.flatMap((target) => originOf(String(target)) ?? []);
  return origins.sort((one, other) => Number(isWorkersDev(one)) - Number(isWorkersDev(other)));
}

const isWorkersDev = (origin: string) => origin.endsWith(".workers.dev");

/**
 * The origin that a target names. A target is a text for people, such as `docs.example.com (custom domain)`,
 * `docs.example.com/* (zone name: example.com)` or `schedule: * * * * *`. The app is served at the root of a domain.
 */
function originOf(target: string): string | null {
  const [address = ""] = target.split(" (", 1);
  const url = URL.parse(`https://${address.replace(/^https?:\/\//, "").replace(/\/\*$/, "")}`);
  return url?.pathname === "/" && /^[\w.-]+\.[\w-]+$/.test(url.hostname) ? url.origin : null;
}

/** Links in mails need the site's address, which may be known only after the first deployment. */
async function deployWithUrl(step: {
  run: RunWrangler;
  complete: WranglerConfig;
  path: string;
  origins: string[];
  work: string;
  print: (line: string) => void;
}): Promise<string> {
  const { run, complete, path, work, print } = step;
  const [origin] = step.origins;
  if (!origin)
    throw new StartError("The Worker was deployed, but has no address: set workers_dev or a route");
  print(`Deploying again, with PUBLIC_URL ${origin}`);
  await writeWranglerConfig(path, { ...complete, vars: { ...complete.vars, PUBLIC_URL: origin } });
  await deployOnce(run, path, {}, work);
  return origin;
}

/** A deployed address is never replaced by itself, since links that were mailed lead to it. */
function adviceOnUrl(publicUrl: string, origins: string[]): string[] {
  const domains = origins.filter((origin) => !isWorkersDev(origin));
  const [first] = domains;
  if (!first || domains.includes(new URL(publicUrl).origin)) return [];
  return [
    `Links lead to PUBLIC_URL, ${publicUrl}, but the Worker has the domain ${first}: deploy with PUBLIC_URL=${first} to use it`,
  ];
}

type Known = {
  vars: Record<string, string>;
  secrets: string[];
  config: WranglerConfig;
  print: (line: string) => void;
};

function advise({ vars, secrets, config, print }: Known): void {
  const names = new Set([...Object.keys(vars), ...secrets]);
  const advice = unsetAdvice({ names, sendsMail: (config.send_email ?? []).length > 0 });
  if (advice.length === 0) return;
  print("Still unset:");
  for (const line of advice) print(`  ${line}`);
}
