import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "bun";
import { onCleanup } from "../cleanup";
import { parseMail } from "../servers/received-mail";
import { makeFolder } from "../temporary-folder";
import type { SiteServer } from "./browser";

const ROOT = join(import.meta.dir, "../../..");

/** The whole site under `wrangler dev`, as `bun run dev:worker` starts it, with its own folder. */
export async function startWorkerSite(): Promise<SiteServer> {
  const folder = makeFolder();
  const child = spawn([process.execPath, "worker/cli/cloudflare/dev.ts"], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", DATA_DIR: folder, RATE_LIMITS: "off", MAX_FILE_MB: "5" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  onCleanup(async () => child.kill("SIGTERM"));
  const problems = new Response(child.stderr).text();
  const ready = Promise.withResolvers<string>();
  const read = async () => {
    let text = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const url = /Doculopes runs at (\S+)/.exec(text)?.[1];
      if (url) ready.resolve(url);
    }
    ready.reject(new Error(`wrangler dev ended:\n${text}\n${await problems}`));
  };
  void read();
  return {
    url: await ready.promise,
    mails: () => readMails(join(folder, "mail")),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Oldest first, as their names are. */
async function readMails(folder: string): Promise<{ to: string; subject: string; text: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(
    names.map(async (name) => {
      const { recipients, subject, text } = await parseMail(await Bun.file(join(folder, name)).bytes());
      return { to: recipients.join(), subject, text };
    }),
  );
}
