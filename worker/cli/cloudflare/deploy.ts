import { join } from "node:path";
import { gzipSync, spawn } from "bun";
import { readEnvironment, withFiles } from "../../adapters/bun/environment";
import { StartError } from "../../adapters/bun/start-error";
import { ConfigError } from "../../config";
import type { Transport } from "../../lib/security-headers";
import { FLAG, readArguments } from "../administration/arguments";
import { bundleWorker } from "./bundle-worker";
import { orThrow } from "./cloud-resources";
import { findNode } from "./find-node";
import { release } from "./release";
import { settingsFrom } from "./settings";
import { ROOT, stageAssets } from "./stage-assets";
import { WRANGLER, wranglerBy, wranglerByBun } from "./wrangler";
import { readWranglerConfig, type WranglerConfig, writeWranglerConfig } from "./wrangler-config";

const WORK = join(ROOT, ".wrangler/release");
const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `bun run deploy`: from an account to a running site. `--login` signs in first; `--dry-run` needs no account; `--yes` changes
 * variables without asking. Bun reads no `.env` for it, which is a local server's.
 */
async function main(args: string[]): Promise<void> {
  const usage = "bun run deploy [--login] [--dry-run] [--yes]";
  const options = { login: FLAG, "dry-run": FLAG, yes: FLAG };
  const { values } = readArguments(args, { usage, options, names: [] });
  const { "dry-run": dryRun, login: signIn } = values;
  if (signIn) await login();
  const work = dryRun ? join(WORK, "dry-run") : WORK;
  const assets = join(work, "assets");
  const fromToml = await readWranglerConfig();
  const script = join(work, "worker");
  const config = {
    ...fromToml,
    main: join(script, "cloudflare.js"),
    assets: { ...fromToml.assets, directory: assets },
  };
  const stage = async (transport: Transport) => {
    await stageAssets(assets, transport);
    return bundleWorker(script);
  };
  if (dryRun) {
    const { HSTS_SUBDOMAINS } = readEnvironment(process.env);
    const modules = await stage({ https: true, subdomains: HSTS_SUBDOMAINS === "on" });
    await rejectUndeployable(config, work);
    const size = sizeOf(modules.filter(({ readAtStart }) => readAtStart));
    print(
      `The Worker builds: ${size}; with what it loads on demand ${sizeOf(modules)}. Nothing was deployed.`,
    );
    return;
  }
  const settings = settingsFrom(withFiles(process.env));
  const run = wranglerBy(await findNode());
  const confirm = values.yes ? async () => {} : confirmChanges;
  const url = await release({ run, config, settings, stageAssets: stage, work, print, confirm });
  print(`Doculopes runs at ${url}`);
}

/** @throws StartError unless somebody at the terminal agrees */
async function confirmChanges(): Promise<void> {
  if (!process.stdin.isTTY) throw new StartError("Nothing was deployed: add --yes to change this");
  if (!globalThis.confirm("Change this on the deployed site?")) throw new StartError("Nothing was deployed");
}

/** Opens Cloudflare's sign-in page in a browser and waits for it. */
async function login(): Promise<void> {
  const stdio = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;
  const child = spawn([await findNode(), WRANGLER, "login"], { cwd: ROOT, ...stdio });
  if ((await child.exited) !== 0) throw new StartError("The sign-in to Cloudflare did not succeed");
}

/** @throws StartError with wrangler's reason, if it would not upload this */
async function rejectUndeployable(config: WranglerConfig, work: string): Promise<void> {
  const path = join(work, "wrangler.json");
  await writeWranglerConfig(path, config);
  orThrow("The Worker cannot be built", await wranglerByBun()(["deploy", "--dry-run", "--config", path]));
}

function sizeOf(modules: readonly { text: string }[]): string {
  const all = modules.map(({ text }) => text).join("");
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`;
  return `${kilobytes(Buffer.byteLength(all))}, ${kilobytes(gzipSync(all).length)} compressed`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof StartError || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : `The deployment failed: ${error}`}\n`);
  process.exit(1);
}
