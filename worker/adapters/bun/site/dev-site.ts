import { loadStaticFiles, type StaticFiles } from "./static-files";
import { createStaticSite, type StaticSite } from "./static-site";

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
export async function createDevSite(folder: string): Promise<{ site: StaticSite; reload(): Promise<void> }> {
  const pages = new Set<ReadableStreamDefaultController<string>>();
  const load = async () =>
    createStaticSite(withReloadScript(await loadStaticFiles(folder)), { https: false });
  let current = await load();
  return {
    site(request) {
      const { pathname } = new URL(request.url);
      if (pathname === SCRIPT_PATH)
        return new Response(SCRIPT, { headers: { "Content-Type": "text/javascript" } });
      return pathname === EVENTS_PATH ? eventStream(pages) : current(request);
    },
    async reload() {
      current = await load();
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
