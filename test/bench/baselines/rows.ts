/** Bare Hono and libSQL: unprocessed rows with as many bytes as the app's response. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { serve } from "bun";
import { Hono } from "hono";

const client = createClient({ url: pathToFileURL(join(process.env.DATA_DIR ?? ".", "rows.db")).href });

const app = new Hono()
  .get("/one/:token", async (c) => {
    const { rows } = await client.execute({
      sql: "select * from one where token = ?",
      args: [c.req.param("token")],
    });
    return c.json(rows[0]);
  })
  .get("/many", async (c) => {
    const { rows } = await client.execute("select * from many order by id desc limit 200");
    return c.json(rows);
  });

const server = serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
process.stdout.write(`runs at ${server.url.origin}\n`);
