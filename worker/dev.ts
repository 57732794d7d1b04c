import { watch } from "node:fs";
import { fileURLToPath } from "node:url";
import { spawn } from "bun";
import { readEnvironment } from "./adapters/bun/environment";
import { createDevSite } from "./adapters/bun/site/dev-site";
import { startBunServer } from "./bun";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** `bun --watch` restarts this process for the server's other sources. */
const WEB_SOURCES = ["web", "locales"];
const DEBOUNCE_MS = 50;

await build();
const dev = await createDevSite(`${ROOT}web/dist`);
const server = await startBunServer(readEnvironment(process.env), { site: dev.site });
process.stdout.write(`Doculopes runs at ${server.deps.config.publicUrl}, and reloads on changes\n`);

let waiting: Timer | undefined;
let queue = Promise.resolve();
for (const folder of WEB_SOURCES) {
  watch(`${ROOT}${folder}`, { recursive: true }, (_event, name) => {
    if (name?.startsWith("dist")) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      queue = queue.then(rebuild);
    }, DEBOUNCE_MS);
  });
}

async function rebuild(): Promise<void> {
  if (await build()) await dev.reload();
}

/** In a separate process, so that a syntax error in a source ends only that process. */
async function build(): Promise<boolean> {
  const command = [process.execPath, "web/build.ts", "--no-minify"];
  return (await spawn(command, { cwd: ROOT, stdout: "inherit", stderr: "inherit" }).exited) === 0;
}
