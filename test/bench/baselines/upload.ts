/** A bare upload server: a raw body to a file, and multipart to files, each with fsync. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "bun";
import { readMultipart } from "../../../worker/lib/multipart";

const folder = process.env.DATA_DIR ?? ".";
let files = 0;

async function raw(request: Request): Promise<Response> {
  const handle = await open(join(folder, `raw-${files++}`), "w");
  for await (const chunk of request.body ?? []) await handle.write(chunk);
  await handle.sync();
  await handle.close();
  return new Response("ok");
}

async function multipart({ body, headers }: Request): Promise<Response> {
  const contentType = headers.get("content-type") ?? undefined;
  for await (const { bytes } of readMultipart({ body, contentType }, { maxParts: 100 })) {
    const handle = await open(join(folder, `part-${files++}`), "w");
    for await (const chunk of bytes) await handle.write(chunk);
    await handle.sync();
    await handle.close();
  }
  return new Response("ok");
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  idleTimeout: 60,
  fetch(request) {
    if (request.method === "GET") return Response.json([]);
    return request.url.endsWith("/raw") ? raw(request) : multipart(request);
  },
});
process.stdout.write(`runs at ${server.url.origin}\n`);
