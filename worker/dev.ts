import { watch } from "node:fs";
import { fileURLToPath } from "node:url";
import { spawn } from "bun";
import { readEnvironment } from "./adapters/bun/environment";
import {
  createStaticSite,
  loadStaticFiles,
  type StaticFiles,
  type StaticSite,
} from "./adapters/bun/site/static-site";
import { startBunServer } from "./bun";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** `bun --watch` restarts this process for the server's other sources. */
const WEB_SOURCES = ["web", "locales"];
const DEBOUNCE_MS = 50;

await build();
const dev = createDevSite(`${ROOT}web/dist`);
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
  if (await build()) dev.reload();
}

/** In a separate process, so that a syntax error in a source ends only that process. */
async function build(): Promise<boolean> {
  const command = [process.execPath, "web/build.ts", "--no-minify"];
  return (await spawn(command, { cwd: ROOT, stdout: "inherit", stderr: "inherit" }).exited) === 0;
}

const SCRIPT_PATH = "/dev/reload.js";
const EVENTS_PATH = "/dev/events";
const HEARTBEAT_MS = 10_000;
/** Reloads the page on `reload()` and when the server is back after a restart. */
const SCRIPT = `const events = new EventSource("${EVENTS_PATH}");
let lost = false;
events.onerror = () => { lost = true };
events.onopen = () => { if (lost) location.reload() };
events.onmessage = () => location.reload();`;

/** For development: serves the last build of the web app. Its pages reload after `reload()`. */
function createDevSite(folder: string): { site: StaticSite; reload(): void } {
  const pages = new Set<ReadableStreamDefaultController<string>>();
  const load = () => createStaticSite(withReloadScript(loadStaticFiles(folder)), { https: false });
  let current = load();
  return {
    site(request) {
      const { pathname } = new URL(request.url);
      if (pathname === SCRIPT_PATH)
        return new Response(SCRIPT, { headers: { "Content-Type": "text/javascript" } });
      return pathname === EVENTS_PATH ? eventStream(pages) : current(request);
    },
    reload() {
      current = load();
      for (const page of pages) page.enqueue("data: reload\n\n");
    },
  };
}

function withReloadScript({ files, scriptHashes }: StaticFiles): StaticFiles {
  const changed = [...files].map(([path, file]) => {
    const page = path.endsWith(".html") ? file.encodings.get("identity") : undefined;
    if (!(page?.body instanceof Uint8Array)) return [path, file] as const;
    const html = new TextDecoder().decode(page.body);
    const body = new TextEncoder().encode(
      html.replace("</head>", `<script src="${SCRIPT_PATH}"></script></head>`),
    );
    return [path, { ...file, encodings: new Map([["identity", { ...page, body }]] as const) }] as const;
  });
  return { files: new Map(changed), scriptHashes };
}

function eventStream(pages: Set<ReadableStreamDefaultController<string>>): Response {
  let heartbeat: Timer;
  let page: ReadableStreamDefaultController<string>;
  const stream = new ReadableStream<string>({
    start(controller) {
      page = controller;
      pages.add(page);
      page.enqueue(": connected\n\n");
      heartbeat = setInterval(() => page.enqueue(": still here\n\n"), HEARTBEAT_MS);
    },
    cancel() {
      clearInterval(heartbeat);
      pages.delete(page);
    },
  });
  return new Response(stream.pipeThrough(new TextEncoderStream()), {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" },
  });
}
