/** A bare upload server: a raw body to a file, and multipart to files, each with fsync. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "bun";
import { make } from "multipasta";

const folder = process.env.DATA_DIR ?? ".";
let files = 0;

async function raw(request: Request): Promise<Response> {
  const handle = await open(join(folder, `raw-${files++}`), "w");
  for await (const chunk of request.body ?? []) await handle.write(chunk);
  await handle.sync();
  await handle.close();
  return new Response("ok");
}

async function multipart(request: Request): Promise<Response> {
  const steps: (() => Promise<unknown>)[] = [];
  const parser = make({
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    onField() {},
    onFile() {
      const opened = open(join(folder, `part-${files++}`), "w");
      return (chunk) =>
        steps.push(async () => {
          const handle = await opened;
          if (chunk) return handle.write(chunk);
          await handle.sync();
          await handle.close();
        });
    },
    onError() {},
    onDone() {},
  });
  for await (const piece of request.body ?? []) {
    parser.write(piece);
    for (const step of steps.splice(0)) await step();
  }
  return new Response("ok");
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  idleTimeout: 60,
  fetch: (request) => (request.url.endsWith("/raw") ? raw(request) : multipart(request)),
});
process.stdout.write(`runs at ${server.url.origin}\n`);
