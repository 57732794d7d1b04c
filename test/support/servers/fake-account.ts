import { appendFile } from "node:fs/promises";
import type { RunWrangler, WranglerResult } from "../../../worker/cli/cloudflare/wrangler";
import type { WranglerConfig } from "../../../worker/cli/cloudflare/wrangler-config";

export type FakeAccount = {
  run: RunWrangler;
  signedIn: boolean;
  databases: { uuid: string; name: string }[];
  buckets: string[];
  /** Each deployment with its configuration and secrets. */
  deployments: { config: WranglerConfig; secrets: Record<string, string> }[];
  /** The variables that the Worker has now, those set in the dashboard included. */
  vars: Record<string, string>;
  /** Variables that are stored as secrets. */
  secretNames: string[];
  /** What wrangler reports as the Worker's addresses. */
  targets: string[];
  /** If set, reading the Worker fails with this message. */
  unreadable?: string;
  /** If set, wrangler rejects the configuration with this message. */
  undeployable?: string;
  migrations: number;
  commands: string[];
};

const ok = (stdout = ""): WranglerResult => ({ ok: true, stdout, stderr: "" });
const failed = (stderr: string): WranglerResult => ({ ok: false, stdout: "", stderr });

/** What wrangler 4.164 prints if there is no such Worker, recorded. */
const NO_WORKER = `\u2718 [ERROR] A request to the Cloudflare API (/accounts/acc/workers/scripts/doculopes/deployments) failed.

  This Worker does not exist on your account. [code: 10007]
`;
const VERSION_ID = "0f1d2c3b-5a49-4a38-8877-665544332211";

/** An in-memory account as wrangler reports it. */
export function createFakeAccount(): FakeAccount {
  const account: FakeAccount = {
    signedIn: true,
    databases: [],
    buckets: [],
    deployments: [],
    vars: {},
    secretNames: [],
    targets: ["https://doculopes.someone.workers.dev", "schedule: * * * * *"],
    migrations: 0,
    commands: [],
    async run(args, env = {}) {
      if (args.includes("--dry-run")) return account.undeployable ? failed(account.undeployable) : ok();
      const command = args.filter((arg) => !arg.startsWith("-")).join(" ");
      account.commands.push(command);
      if (!account.signedIn) return failed("You are not authenticated");
      const argument = (name: string) => args[args.indexOf(name) + 1] ?? "";
      if (command === "d1 list") return ok(JSON.stringify(account.databases));
      if (command.startsWith("d1 create"))
        return add(account.databases, { uuid: `id-${account.databases.length + 1}`, name: args[2] ?? "" });
      if (command === "r2 bucket list")
        return ok(account.buckets.map((name) => `name:           ${name}\n`).join(""));
      if (command.startsWith("r2 bucket create")) return add(account.buckets, args[3] ?? "");
      if (command.startsWith("d1 migrations apply")) account.migrations += 1;
      if (command.startsWith("deployments status")) return currentDeployment(account);
      if (command.startsWith("versions view")) return ok(JSON.stringify(currentVersion(account)));
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
  const config: WranglerConfig = await Bun.file(argument("--config")).json();
  const secrets = args.includes("--secrets-file") ? await Bun.file(argument("--secrets-file")).json() : {};
  account.deployments.push({ config, secrets });
  account.vars = { ...(args.includes("--keep-vars") && account.vars), ...config.vars };
  const report = { type: "deploy", targets: account.targets };
  await appendFile(env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify(report)}\n`);
}

function currentDeployment({ deployments, unreadable }: FakeAccount): WranglerResult {
  if (unreadable) return failed(unreadable);
  if (deployments.length === 0) return failed(NO_WORKER);
  const versions = [
    { version_id: "another", percentage: 10 },
    { version_id: VERSION_ID, percentage: 90 },
  ];
  return ok(JSON.stringify({ id: "deployment", source: "wrangler", strategy: "percentage", versions }));
}

function currentVersion({ deployments, vars, secretNames }: FakeAccount) {
  const { config } = deployments.at(-1) ?? {};
  const bindings = [
    ...Object.entries(vars).map(([name, text]) => ({ name, type: "plain_text", text })),
    ...deployments.flatMap(({ secrets }) =>
      Object.keys(secrets).map((name) => ({ name, type: "secret_text" })),
    ),
    ...secretNames.map((name) => ({ name, type: "secret_text" })),
    ...(config?.send_email ?? []).map((binding) => ({ type: "send_email", ...binding })),
    ...(config?.d1_databases ?? []).map(({ binding, database_id }) => ({
      name: binding,
      type: "d1",
      id: database_id,
    })),
    ...(config?.r2_buckets ?? []).map(({ binding, bucket_name }) => ({
      name: binding,
      type: "r2_bucket",
      bucket_name,
    })),
  ];
  return { id: VERSION_ID, number: deployments.length, metadata: {}, resources: { bindings } };
}
