import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Subprocess, spawn } from "bun";
import { readEnvironment } from "../../adapters/bun/environment";
import { ensureKeyFile } from "../../adapters/bun/files/key-file";
import {
  createEmlMailer,
  createTextFileSmsSender,
  openMailFolder,
} from "../../adapters/bun/messages/message-files";
import { createSmtpMailer } from "../../adapters/bun/messages/smtp-mailer";
import { definedRevision } from "../../adapters/bun/revision";
import { StartError } from "../../adapters/bun/start-error";
import { createJsonLogger } from "../../adapters/shared/loggers";
import { appConfig, ConfigError, type Variables } from "../../config";
import { systemClock } from "../../ports/clock";
import { findNode } from "./find-node";
import { joinMigrations } from "./join-migrations";
import { startMessageGateway } from "./message-gateway";
import { devVars } from "./settings";
import { ROOT, stageAssets } from "./stage-assets";
import { freePort, printWithoutPaths, WRANGLER, WRANGLER_ENV } from "./wrangler";
import { readWranglerConfig, writeWranglerConfig } from "./wrangler-config";

/** Runs the Worker locally under `wrangler dev`, with a database and a bucket in DATA_DIR. */
async function main(): Promise<number> {
  const variables = readEnvironment(process.env);
  const folder = resolve(variables.DATA_DIR);
  const port = variables.PORT || (await freePort());
  const work = join(ROOT, ".wrangler/dev", String(port));
  const node = await findNode();
  await mkdir(folder, { recursive: true });
  const SECRET_KEY = variables.SECRET_KEY ?? (await ensureKeyFile(folder));
  await stageAssets(join(work, "assets"), appConfig(variables, port).transport);

  const gateway = await openGateway(variables, folder);
  const path = join(work, "wrangler.json");
  const config = await readWranglerConfig();
  const isNew = !existsSync(join(folder, "v3/d1"));
  const ofNew = isNew ? { migrations_dir: await joinMigrations(join(work, "migrations")) } : {};
  await writeWranglerConfig(path, {
    ...config,
    // Its sources, so that it reloads on changes.
    main: join(ROOT, "worker/cloudflare.ts"),
    no_bundle: false,
    define: definedRevision(),
    assets: { ...config.assets, directory: join(work, "assets") },
    d1_databases: config.d1_databases.map((database) => ({ ...database, ...ofNew })),
    vars: devVars({ ...variables, SECRET_KEY, PORT: port }, gateway.url),
    dev: undefined,
  });
  const command = (...args: string[]) =>
    [node, WRANGLER, ...args, "--config", path, "--local", "--persist-to", folder] as const;
  const options = {
    cwd: ROOT,
    env: { ...process.env, ...WRANGLER_ENV },
    stdout: "inherit",
    stderr: "inherit",
  } as const;

  const migration = await spawn([...command("d1", "migrations", "apply", "DB")], options).exited;
  if (migration !== 0) return migration;
  const address = ["--ip", variables.HOST, "--port", String(port)];
  const server = spawn([...command("dev", ...address, "--inspector-port", String(await freePort()))], {
    ...options,
    stdout: "pipe",
  });
  void printWithoutPaths(server.stdout, (text) => process.stdout.write(text));
  forwardSignals(server);
  const origin = `http://${variables.HOST}:${port}`;
  const schedule = startSchedule(origin);
  void printUrl(origin, appConfig(variables, port).publicUrl);
  const code = await server.exited;
  clearInterval(schedule);
  await gateway.stop();
  return code;
}

async function openGateway(variables: Variables, folder: string) {
  const log = createJsonLogger(systemClock, (line) => process.stdout.write(`${line}\n`));
  const written = await openMailFolder(folder, systemClock);
  return startMessageGateway({
    mailer: variables.SMTP_URL
      ? createSmtpMailer({ url: variables.SMTP_URL })
      : createEmlMailer(written, log),
    smsSender: createTextFileSmsSender(written, log),
  });
}

/** Prints the URL once the Worker answers. */
async function printUrl(origin: string, publicUrl: string): Promise<void> {
  while (
    !(await fetch(`${origin}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await Bun.sleep(100);
  process.stdout.write(`Doculopes runs at ${publicUrl}\n`);
}

/** `wrangler dev` does not run cron triggers; a request to this address does. */
function startSchedule(origin: string): Timer {
  return setInterval(() => void fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => {}), 60_000);
}

function forwardSignals(server: Subprocess): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
}

try {
  process.exit(await main());
} catch (error) {
  const known = error instanceof StartError || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : `The Worker could not start: ${error}`}\n`);
  process.exit(1);
}
