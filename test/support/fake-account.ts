import { appendFile } from "node:fs/promises";
import type { RunWrangler, WranglerResult } from "../../worker/cli/cloudflare/wrangler";
import type { WranglerConfig } from "../../worker/cli/cloudflare/wrangler-config";

export type FakeAccount = {
  run: RunWrangler;
  signedIn: boolean;
  databases: { uuid: string; name: string }[];
  buckets: string[];
  /** Each deployment with its configuration and secrets. */
  deployments: { config: WranglerConfig; secrets: Record<string, string> }[];
  migrations: number;
  commands: string[];
};

const ok = (stdout = ""): WranglerResult => ({ ok: true, stdout, stderr: "" });
const failed = (stderr: string): WranglerResult => ({ ok: false, stdout: "", stderr });

/** An in-memory account as wrangler reports it. */
export function createFakeAccount(): FakeAccount {
  const account: FakeAccount = {
    signedIn: true,
    databases: [],
    buckets: [],
    deployments: [],
    migrations: 0,
    commands: [],
    async run(args, env = {}) {
      const command = args.filter((arg) => !arg.startsWith("-")).join(" ");
      account.commands.push(command);
      if (!account.signedIn) return failed("You are not authenticated");
      const argument = (name: string) => args[args.indexOf(name) + 1] ?? "";
      if (command === "d1 list") return ok(JSON.stringify(account.databases));
      if (command.startsWith("d1 create"))
        return add(account.databases, { uuid: "id-1", name: args[2] ?? "" });
      if (command === "r2 bucket list")
        return ok(account.buckets.map((name) => `name:           ${name}\n`).join(""));
      if (command.startsWith("r2 bucket create")) return add(account.buckets, args[3] ?? "");
      if (command.startsWith("d1 migrations apply")) account.migrations += 1;
      if (command.startsWith("secret list")) return ok(JSON.stringify(secretsOf(account)));
      if (command.startsWith("deploy")) await deploy(account, argument, args, env);
      return ok();
    },
  };
  return account;
}

function add<T>(list: T[], item: T): WranglerResult {
  list.push(item);
  return ok();
}

async function deploy(
  account: FakeAccount,
  argument: (name: string) => string,
  args: string[],
  env: Record<string, string>,
): Promise<void> {
  const config = await Bun.file(argument("--config")).json();
  const secrets = args.includes("--secrets-file") ? await Bun.file(argument("--secrets-file")).json() : {};
  account.deployments.push({ config, secrets });
  const report = { type: "deploy", targets: [`https://${config.name}.someone.workers.dev`] };
  await appendFile(env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify(report)}\n`);
}

const secretsOf = ({ deployments }: FakeAccount) =>
  deployments.flatMap(({ secrets }) => Object.keys(secrets).map((name) => ({ name, type: "secret_text" })));
