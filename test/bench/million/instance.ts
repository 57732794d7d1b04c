import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { file, spawn } from "bun";
import type { Database } from "../../../db/client";
import { openLibsql } from "../../../db/libsql";
import { freePort } from "../../../worker/cli/cloudflare/wrangler";
import { startSqld } from "../../support/servers/sqld";
import { type Server, startApp, startBaseline } from "../harness/process";

/** An installation under test: its public address, its servers, and how the benchmark changes its data. */
export type Instance = {
  name: string;
  url: string;
  servers: Server[];
  /** Runs statements beside the servers. */
  withDatabase<T>(use: (db: Database) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Variables of every server: `mail` is where the messages go. */
type Settings = { mail: string };

/** One server with the embedded database file and files on its disk. */
export async function startEmbedded(folder: string, { mail }: Settings): Promise<Instance> {
  const server = await startApp(folder, { SMTP_URL: mail });
  return {
    name: "one server, embedded file",
    url: server.url,
    servers: [server],
    withDatabase: withDatabaseAt(pathToFileURL(join(folder, "doculopes.db")).href),
    stop: server.stop,
  };
}

const S3 = {
  S3_BUCKET: "documents",
  S3_ACCESS_KEY_ID: "key-id",
  S3_SECRET_ACCESS_KEY: "secret",
};

/** Two servers behind Caddy, which share a libSQL server and an S3 store, each a process of its own. */
export async function startShared(folder: string, { mail }: Settings): Promise<Instance> {
  const sqld = await startSqld(join(folder, "sqld"));
  const store = await startBaseline("s3-store", folder, S3);
  const data = { DATABASE_URL: sqld.url.replace("http:", "ws:"), S3_ENDPOINT: store.url, ...S3 };
  const variables = { DATA_DIR: join(folder, "one"), ...data };
  const servers = [
    await startApp(folder, { ...variables, SMTP_URL: mail }),
    await startApp(folder, { ...variables, DATA_DIR: join(folder, "other"), SMTP_URL: mail }),
  ];
  const proxy = await startCaddy(folder, servers);
  return {
    name: "two servers, sqld and S3",
    url: proxy.url,
    servers,
    withDatabase: withDatabaseAt(sqld.url),
    async stop() {
      await proxy.stop();
      for (const server of [...servers, store]) await server.stop();
      await sqld.stop();
    },
  };
}

/** Runs statements on a database beside its servers. */
export const withDatabaseAt =
  (url: string) =>
  async <T>(use: (db: Database) => Promise<T>): Promise<T> => {
    const database = await openLibsql({ url, responseMs: 600_000 });
    try {
      return await use(database.db);
    } finally {
      database.close();
    }
  };

/** Debian's Caddy, which sends each request to the next server. */
async function startCaddy(folder: string, servers: readonly Server[]) {
  const port = await freePort();
  const path = join(folder, "Caddyfile");
  const upstreams = servers.map(({ url }) => new URL(url).host).join(" ");
  const text = `{\n  admin off\n  auto_https off\n}\nhttp://127.0.0.1:${port} {\n  reverse_proxy ${upstreams} {\n    lb_policy round_robin\n    lb_try_duration 2s\n  }\n}\n`;
  await Bun.write(path, text);
  const child = spawn(["caddy", "run", "--config", path, "--adapter", "caddyfile"], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdin: "ignore",
    stdout: "ignore",
    stderr: file(join(folder, "caddy.log")),
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/api/live`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Caddy ended with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
