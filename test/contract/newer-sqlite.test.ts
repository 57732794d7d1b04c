import { type SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Database } from "../../db/client";
import { createApp } from "../../worker/app";
import { createProcessMemory } from "../../worker/process-memory";
import { createClient } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

setDefaultTimeout(120_000);

/** The file through Bun's SQLite, which is newer than those of libSQL and D1. */
function openNewer(path: string): Database {
  const file = new Sqlite(path);
  type Method = "run" | "all" | "values" | "get";
  const run = (sql: string, params: unknown[], method: Method) => {
    const rows = file.query(sql).values(...(params as SQLQueryBindings[]));
    return { rows: (method === "get" ? rows[0] : rows) as unknown[] };
  };
  return drizzle(
    async (sql, params, method) => run(sql, params, method),
    async (queries) =>
      file.transaction(() => queries.map(({ sql, params, method }) => run(sql, params, method)))(),
    { casing: "snake_case" },
  ) as unknown as Database;
}

test("a newer SQLite yields the same lists, links, counts and members", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  const { body: user } = await owner.post("/api/register", {
    email: "owner@example.com",
    password: "a long password",
  });
  const [workspace] = (await owner.get("/api/workspaces")).body;
  const { body: contact } = await owner.post("/api/contacts", { firstName: "Ada", lastName: "Lovelace" });
  const submitted = await sendEnvelope(owner, { contactId: contact.id });
  await createClient(runtime).post(linkOf(submitted), form({ Contract: pdfFile() }));
  const pending = await sendEnvelope(owner, { subject: "Tax return" });
  await owner.send("PUT", `/api/requests/${pending.id}/watch`);
  await runtime.finishBackgroundWork();
  const paths = [
    "/api/requests?counts=1",
    `/api/requests?workspaceId=${workspace.id}&counts=1`,
    "/api/requests?view=row&sort=subject",
    `/api/requests?view=row&sort=-status&workspaceId=${workspace.id}`,
    `/api/requests?contactId=${contact.id}`,
    "/api/requests?search=tax",
    `/api/requests?assignee=${user.id}&counts=1`,
    `/api/requests/${submitted.id}`,
    linkOf(pending),
    "/api/workspaces",
    `/api/workspaces/${workspace.id}/members`,
    "/api/user/sessions",
    "/api/contacts",
    "/api/templates",
    "/api/requests/bulk",
  ];
  const readAll = async () => {
    const read = [];
    for (const path of paths) {
      const { status, body, headers } = await owner.get(path);
      expect([path, status]).toEqual([path, 200]);
      read.push([path, body, headers.get("envelope-counts")]);
    }
    return read;
  };
  const expected = await readAll();
  const [main] = await runtime.select("select file from pragma_database_list where name = 'main'");
  const app = createApp({
    ...runtime.deps,
    db: openNewer(String(main?.file)),
    memory: createProcessMemory(),
  });
  runtime.fetch = async (request) => app.fetch(request, { clientAddress: "203.0.113.7" });
  expect(await readAll()).toEqual(expected);
  await runtime.stop();
});
