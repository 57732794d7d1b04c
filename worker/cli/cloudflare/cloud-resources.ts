import { StartError } from "../../adapters/bun/start-error";
import type { RunWrangler, WranglerResult } from "./wrangler";
import type { WranglerConfig } from "./wrangler-config";

type Print = (line: string) => void;
type D1 = WranglerConfig["d1_databases"][number];
type R2 = WranglerConfig["r2_buckets"][number];

/** @throws StartError if wrangler is not signed in to Cloudflare */
export async function requireLogin(run: RunWrangler): Promise<void> {
  if ((await run(["whoami", "--json"])).ok) return;
  throw new StartError(
    "Not signed in to Cloudflare: set CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID), or run `bun run deploy --login`",
  );
}

/**
 * Requires that the deployed Worker uses the database and the bucket of the configuration: a deployment would replace
 * others, with empty ones of the names in a fresh clone.
 * @throws StartError
 */
export async function requireUsedStores(
  run: RunWrangler,
  deployed: Deployed,
  { database, bucket }: { database: D1; bucket: R2 },
): Promise<void> {
  const id = deployed.databases[database.binding];
  const used = id && (await listDatabases(run)).find(({ uuid }) => uuid === id);
  if (used && used.name !== database.database_name)
    throw usesAnother("D1 database", used.name, "database_name");
  const name = deployed.buckets[bucket.binding];
  if (name && name !== bucket.bucket_name) throw usesAnother("R2 bucket", name, "bucket_name");
}

/** The id of the database with this name; creates it if needed. */
export async function ensureDatabase(run: RunWrangler, name: string, print: Print): Promise<string> {
  const found = await findDatabase(run, name);
  if (found) return found;
  print(`Creating the D1 database ${name}`);
  orThrow("The D1 database could not be created", await run(["d1", "create", name]));
  const created = await findDatabase(run, name);
  if (!created) throw new StartError(`The D1 database ${name} was created, but is not in the account's list`);
  return created;
}

/** The id of the account's database with this name. */
export async function findDatabase(run: RunWrangler, name: string): Promise<string | undefined> {
  return (await listDatabases(run)).find((database) => database.name === name)?.uuid;
}

async function listDatabases(run: RunWrangler): Promise<{ uuid: string; name: string }[]> {
  return JSON.parse(
    orThrow("The D1 databases could not be listed", await run(["d1", "list", "--json"])).stdout,
  );
}

const usesAnother = (kind: string, used: string, field: string) =>
  new StartError(
    `The deployed Worker uses the ${kind} ${used}: write that as ${field} into wrangler.toml, or remove the binding in the dashboard to use another. Nothing was changed`,
  );

/** Creates the bucket with this name if needed. */
export async function ensureBucket(run: RunWrangler, name: string, print: Print): Promise<void> {
  const list = orThrow(
    "The R2 buckets could not be listed (is R2 enabled in the dashboard?)",
    await run([...["r2", "bucket", "list"]]),
  );
  const names = [...list.stdout.matchAll(/^name:\s+(\S+)\s*$/gm)].map(([, found]) => found);
  if (names.includes(name)) return;
  print(`Creating the R2 bucket ${name}`);
  orThrow("The R2 bucket could not be created", await run(["r2", "bucket", "create", name]));
}

/** The variables of the deployed Worker, the names of its secrets, and what else it is bound to. */
export type Deployed = {
  vars: Record<string, string>;
  secrets: string[];
  sendEmail: { name: string }[];
  /** By their names in the code. */
  databases: Record<string, string>;
  buckets: Record<string, string>;
};

type Deployment = { versions: { version_id: string; percentage: number }[] };
type Binding = {
  type: string;
  name: string;
  text?: string;
  id?: string;
  database_id?: string;
  bucket_name?: string;
};
type Version = { resources: { bindings: Binding[] } };

const NOTHING: Deployed = { vars: {}, secrets: [], sendEmail: [], databases: {}, buckets: {} };

/** Cloudflare's code for a Worker that does not exist, and wrangler's message for one that was never deployed. */
const NEVER_DEPLOYED = /\[code: 10007\]|has no deployments/;

/**
 * Reads what is deployed, from wherever it was deployed; nothing if the Worker does not exist yet.
 * @throws StartError if that cannot be told: a deployment without its variables would replace them
 */
export async function readDeployed(run: RunWrangler, worker: string): Promise<Deployed> {
  const found = await run(["deployments", "status", "--json", "--name", worker]);
  if (!found.ok && NEVER_DEPLOYED.test(found.stderr)) return NOTHING;
  const problem = "The deployed Worker could not be read";
  const { versions }: Deployment = JSON.parse(orThrow(problem, found).stdout);
  const [current] = versions.sort((one, other) => other.percentage - one.percentage);
  if (!current) throw new StartError(`${problem}: it has no version`);
  const view = await run(["versions", "view", current.version_id, "--json", "--name", worker]);
  const { resources }: Version = JSON.parse(orThrow(problem, view).stdout);
  const named = (type: string) => resources.bindings.filter((binding) => binding.type === type);
  const byName = (type: string, value: (binding: Binding) => string | undefined) =>
    Object.fromEntries(named(type).map((binding) => [binding.name, value(binding) ?? ""]));
  return {
    vars: byName("plain_text", ({ text }) => text),
    secrets: named("secret_text").map(({ name }) => name),
    // With its restrictions, which wrangler.toml calls by the same names.
    sendEmail: named("send_email").map(({ type: _, ...binding }) => binding),
    databases: byName("d1", ({ database_id, id }) => database_id ?? id),
    buckets: byName("r2_bucket", ({ bucket_name }) => bucket_name),
  };
}

/** @throws StartError with wrangler's output */
export function orThrow(problem: string, result: WranglerResult): WranglerResult {
  if (result.ok) return result;
  throw new StartError(`${problem}:\n${`${result.stderr}\n${result.stdout}`.trim()}`);
}
