import { StartError } from "../../adapters/bun/start-error";
import type { RunWrangler, WranglerResult } from "./wrangler";

type Print = (line: string) => void;

/** @throws StartError if wrangler is not signed in to Cloudflare */
export async function requireLogin(run: RunWrangler): Promise<void> {
  if ((await run(["whoami", "--json"])).ok) return;
  throw new StartError(
    "Not signed in to Cloudflare: set CLOUDFLARE_API_TOKEN (and CLOUDFLARE_ACCOUNT_ID), or run `bun run deploy --login`",
  );
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
  const result = orThrow("The D1 databases could not be listed", await run(["d1", "list", "--json"]));
  const databases: { uuid: string; name: string }[] = JSON.parse(result.stdout);
  return databases.find((database) => database.name === name)?.uuid;
}

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

/** The names of the Worker's secrets; empty if the Worker does not exist yet. */
export async function listSecrets(run: RunWrangler, config: string): Promise<string[]> {
  const { ok, stdout } = await run(["secret", "list", "--format", "json", "--config", config]);
  if (!ok) return [];
  const secrets: { name: string }[] = JSON.parse(stdout);
  return secrets.map(({ name }) => name);
}

/** @throws StartError with wrangler's output */
export function orThrow(problem: string, result: WranglerResult): WranglerResult {
  if (result.ok) return result;
  throw new StartError(`${problem}:\n${`${result.stderr}\n${result.stdout}`.trim()}`);
}
