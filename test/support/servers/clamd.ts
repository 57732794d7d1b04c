import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Subprocess, spawn, which, write } from "bun";
import { freePort } from "../../../worker/cli/cloudflare/wrangler";
import { onCleanup } from "../cleanup";
import { waitFor } from "../wait";
import { EICAR, STREAM_MAX, VIRUS } from "./clamd-server";

export type Clamd = { url: string; start(): Promise<void>; stop(): Promise<void> };

/** The PATH may lack the folder of daemons. */
const FOLDERS = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

/**
 * A real clamd on its own port with its files in `folder` and optional settings. It knows one virus, by our own
 * signature: the real databases are hundreds of megabytes.
 */
export async function startClamd(folder: string, more: readonly string[] = []): Promise<Clamd> {
  const program = which("clamd", { PATH: FOLDERS });
  if (!program) throw new Error("There is no clamd: install Debian's clamav-daemon");
  const port = await freePort();
  const database = join(folder, "signatures");
  const settings = join(folder, "clamd.conf");
  await mkdir(database, { recursive: true });
  await write(join(database, "test.ndb"), `${VIRUS}:0:*:${Buffer.from(EICAR).toString("hex")}\n`);
  const lines = [
    ...["Foreground yes", `DatabaseDirectory ${database}`, `TemporaryDirectory ${folder}`],
    ...["TCPAddr 127.0.0.1", `TCPSocket ${port}`, `StreamMaxLength ${STREAM_MAX}`],
    ...more,
  ];
  await write(settings, `${lines.join("\n")}\n`);
  let child: Subprocess<"ignore", "ignore", "pipe"> | undefined;
  const clamd: Clamd = {
    url: `tcp://127.0.0.1:${port}`,
    async start() {
      child = spawn([program, "--config-file", settings], {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      });
      const { exited, stderr } = child;
      const ended = exited.then(async () => {
        throw new Error(`clamd ended: ${await new Response(stderr).text()}`);
      });
      await Promise.race([waitFor("clamd", () => responses(port)), ended]);
    },
    async stop() {
      child?.kill("SIGKILL");
      await child?.exited;
    },
  };
  onCleanup(clamd.stop);
  await clamd.start();
  return clamd;
}

const responses = (port: number) =>
  Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );
