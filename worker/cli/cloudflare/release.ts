import { rm } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { StartError } from "../../adapters/bun/start-error";
import { ensureBucket, ensureDatabase, listSecrets, orThrow, requireLogin } from "./cloud-resources";
import { type Settings, unsetAdvice } from "./settings";
import type { RunWrangler } from "./wrangler";
import { type WranglerConfig, writeWranglerConfig } from "./wrangler-config";

export type Release = {
  run: RunWrangler;
  config: WranglerConfig;
  settings: Settings;
  /** A folder for temporary files, which may remain. */
  work: string;
  print: (line: string) => void;
};

/**
 * Creates what the configuration needs in the account, deploys, and returns the site's address. Leaves what already
 * exists, so it can be run repeatedly.
 * @throws StartError with a one-line reason
 */
export async function release({ run, config, settings, work, print }: Release): Promise<string> {
  await requireLogin(run);
  const [database] = config.d1_databases;
  const [bucket] = config.r2_buckets;
  if (!database || !bucket) throw new StartError("wrangler.toml must bind one D1 database and one R2 bucket");
  const database_id = await ensureDatabase(run, database.database_name, print);
  await ensureBucket(run, bucket.bucket_name, print);

  const path = join(work, "wrangler.json");
  const vars = { ...config.vars, ...settings.vars };
  const complete = { ...config, d1_databases: [{ ...database, database_id }], vars };
  await writeWranglerConfig(path, complete);
  print("Applying migrations");
  const migrate = ["d1", "migrations", "apply", database.binding, "--remote", "--config", path];
  orThrow("The migrations could not be applied", await run(migrate));

  print("Deploying");
  const url = await deployOnce(run, path, settings.secrets, work);
  const publicUrl = await ensurePublicUrl({ run, complete, path, url, work, print });
  await advise(run, path, complete, print);
  return publicUrl;
}

/** Deploys with the given secrets and returns the address that wrangler reports. */
async function deployOnce(
  run: RunWrangler,
  path: string,
  secrets: Record<string, string>,
  work: string,
): Promise<string> {
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
    return addressIn(await file(report).text());
  } finally {
    await rm(secretsFile, { force: true });
  }
}

function addressIn(report: string): string {
  for (const line of report.split("\n").filter(Boolean)) {
    const { type, targets } = JSON.parse(line);
    const [target] = type === "deploy" && Array.isArray(targets) ? targets : [];
    if (target) return /^https?:/.test(target) ? target : `https://${target}`;
  }
  throw new StartError("The Worker was deployed, but has no address: set workers_dev or a route");
}

/** Links in mails need the site's address, which is known only after the first deployment. */
async function ensurePublicUrl(step: {
  run: RunWrangler;
  complete: WranglerConfig;
  path: string;
  url: string;
  work: string;
  print: (line: string) => void;
}): Promise<string> {
  const { run, complete, path, url, work, print } = step;
  const set = complete.vars?.PUBLIC_URL;
  if (set) return set;
  const known = file(join(work, "public-url.txt"));
  if (
    await known.text().then(
      (text) => text === url,
      () => false,
    )
  )
    return url;
  print(`Deploying again, with PUBLIC_URL ${url}`);
  await writeWranglerConfig(path, { ...complete, vars: { ...complete.vars, PUBLIC_URL: url } });
  await deployOnce(run, path, {}, work);
  await write(known, url);
  return url;
}

async function advise(run: RunWrangler, path: string, config: WranglerConfig, print: (line: string) => void) {
  const names = new Set([...Object.keys(config.vars ?? {}), ...(await listSecrets(run, path))]);
  const advice = unsetAdvice({ names, sendsMail: (config.send_email ?? []).length > 0 });
  if (advice.length === 0) return;
  print("Still unset, as far as this command can see (variables set in the dashboard it cannot):");
  for (const line of advice) print(`  ${line}`);
}
