/** What a write cannot do without: its rows in one batch that reaches the disk, its files with their fsyncs. */
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { serve } from "bun";

const folder = process.env.DATA_DIR ?? ".";
const client = createClient({ url: pathToFileURL(join(folder, "writes.db")).href });
await client.execute("pragma journal_mode = wal");
await client.execute("create table rows (id integer primary key, data text, token text unique)");
const data = "x".repeat(400);

const commit = (rows: number) =>
  client.batch(
    Array.from({ length: rows }, () => ({
      sql: "insert into rows (data, token) values (?, ?)",
      args: [data, crypto.randomUUID()],
    })),
    "write",
  );

async function store(part: File): Promise<void> {
  const path = join(folder, crypto.randomUUID());
  const handle = await open(`${path}.part`, "w");
  await handle.write(await part.bytes());
  await handle.sync();
  await handle.close();
  await rename(`${path}.part`, path);
  const parent = await open(folder, "r");
  await parent.sync();
  await parent.close();
}

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (request.url.endsWith("/files")) {
      const parts = [...(await request.formData()).values()].filter((part) => part instanceof File);
      await Promise.all(parts.map(store));
      await commit(parts.length + 3);
    } else {
      await request.json();
      await commit(5);
    }
    return Response.json({}, { status: 201 });
  },
});
process.stdout.write(`runs at ${server.url.origin}\n`);
