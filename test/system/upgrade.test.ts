import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { file, write } from "bun";
import { DEMO_USER } from "../../worker/cli/seed/demo-data";
import { createClient } from "../support/api/client";
import { MISCOUNTED } from "../support/files/miscounted";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

/** The demo account as each release has seeded it, in SQL, and a row of each kind that it has none of. */
const RELEASED = join(import.meta.dir, "released");
const RELEASES = (await readdir(RELEASED)).map((name) => basename(name, ".sql"));

/** What the code calls tables and columns that a release named otherwise. */
const RENAMED: Record<string, string> = {
  requests: "envelopes",
  request_documents: "envelope_documents",
  documents: "template_uses",
  removed_files: "file_deletions",
  request_id: "envelope_id",
  request_document_id: "envelope_document_id",
};
const renamed = (name: string) => RENAMED[name] ?? name;

type Answered = { documents: { name: string; state: string }[]; submissions: { documentName: string }[] };

const folder = makeFolder();

/** The release's database, and a file for each row that names one. */
async function install(
  release: string,
  dataDir: string,
): Promise<{ before: Map<string, number>; links: string[] }> {
  await mkdir(join(dataDir, "uploads"), { recursive: true });
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run(await file(join(RELEASED, `${release}.sql`)).text());
  const files = db
    .query<{ path: string; size: number }, []>("select file_path as path, file_size as size from submissions")
    .all();
  for (const { path, size } of files)
    await write(join(dataDir, "uploads", path), `%PDF-1.4 ${path}`.padEnd(size));
  const installed = { before: countRows(db), links: linksOf(db) };
  db.close();
  return installed;
}

/** Of all tables but the search index, which has no rows of its own, and those that change with every start. */
function countRows(db: Database): Map<string, number> {
  const tables = db
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and name not like 'envelope_search%'",
    )
    .all();
  const count = (name: string) => db.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n;
  return new Map(
    tables
      .filter(
        ({ name }) =>
          !/^sqlite_|^__drizzle|^job_runs|^rate_limits|^sessions?$|^(removed_files|file_deletions)$/.test(
            name,
          ),
      )
      .map(({ name }) => [renamed(name), count(name) ?? 0]),
  );
}

/** Which row each row refers to. */
function linksOf(db: Database): string[] {
  const columns = db
    .query<{ table: string; column: string }, []>(
      `select m.name as "table", f."from" as "column" from sqlite_master m, pragma_foreign_key_list(m.name) f
       where m.type = 'table' and m.name not in ('sessions', 'webhooks')`,
    )
    .all();
  return columns.flatMap(({ table, column }) =>
    db
      .query<{ row: number; value: number }, []>(
        `select rowid as "row", "${column}" as value from "${table}"`,
      )
      .all()
      .map(({ row, value }) => `${renamed(table)} ${row} ${renamed(column)} ${value}`),
  );
}

test.each(RELEASES)("a database of %s is upgraded at the start, with every row and file", async (release) => {
  const dataDir = join(folder, release);
  const { before, links } = await install(release, dataDir);
  expect(before.get("envelopes")).toBeGreaterThan(5);
  const server = spawnServer({ DATA_DIR: dataDir });
  const client = createClient({ fetch, origin: await server.url });
  const { email, password } = DEMO_USER as { email: string; password: string };
  const signedIn = await client.post("/api/login", { email, password });
  expect([signedIn.status, signedIn.body.isAdministrator]).toEqual([200, false]);
  const { body: envelopes } = await client.get("/api/requests");
  expect(envelopes).toHaveLength(before.get("envelopes") ?? 0);
  const files = envelopes.flatMap(({ submissions }: { submissions: { url: string }[] }) => submissions);
  expect(files).toHaveLength(before.get("submissions") ?? 0);
  for (const { url } of files)
    expect(new TextDecoder().decode(await client.bytes(url)).trimEnd()).toBe(`%PDF-1.4 ${basename(url)}`);
  if (release === "0.1.0") {
    // That version had no review.
    const states = envelopes.flatMap(({ documents, submissions }: Answered) =>
      documents
        .filter(({ name }) => submissions.some(({ documentName }) => documentName === name))
        .map(({ state }) => state),
    );
    expect(new Set(states)).toEqual(new Set(["received"]));
  }
  const sent = envelopes.find(({ status }: { status: string }) => status !== "draft");
  // Completed or expired by now, but the link must be known.
  expect([200, 410]).toContain((await client.get(`/api/submissions/${sent.submissionToken}`)).status);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  expect(await server.output).toContain('"event":"migrating"');

  const db = new Database(join(dataDir, "doculopes.db"), { readonly: true });
  const after = countRows(db);
  const unowned =
    "select id from workspaces where not exists (select 1 from workspace_members as member where member.workspace_id = workspaces.id and member.user_id = workspaces.user_id and role = 'owner')";
  expect(db.query(unowned).all()).toEqual([]);
  expect(db.query("select id from envelopes where text_bytes < 10").all()).toEqual([]);
  expect(db.query(MISCOUNTED).all()).toEqual([]);
  const kept = new Set(linksOf(db));
  // Who acted is no foreign key any more; the others are of another workspace, see below.
  const dropped = /^envelope_events \d+ user_id |^envelopes \d+ (contact|template)_id /;
  const lost = links.filter((link) => !kept.has(link) && !dropped.test(link));
  expect(lost).toEqual([]);
  expect(db.query("pragma foreign_key_check").all()).toEqual([]);
  db.close();
  expect([...before.values()]).not.toContain(0);
  expect(after.get("workspace_members")).toBe(before.get("workspaces"));
  for (const [table, rows] of before)
    expect([table, after.get(table)]).toEqual([table, table === "notifications" ? expect.any(Number) : rows]);
  const backup = join(folder, `${release}-backup`);
  expect((await runOperatorCommand(["backup", backup], { DATA_DIR: dataDir })).problems).toBe("");
  const restored = { DATA_DIR: join(folder, `${release}-restored`), PORT: "0" };
  expect((await runOperatorCommand(["restore", backup], restored)).problems).toBe("");
});

test("the first account of a version that did not record it is the administrator after the upgrade", async () => {
  const dataDir = join(folder, "administrator");
  await install("0.1.0", dataDir);
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run("update users set email = 'ada@example.com' where id = 1");
  db.close();
  const server = spawnServer({ DATA_DIR: dataDir });
  await server.url;
  server.child.kill("SIGTERM");
  await server.child.exited;
  const shown = await runOperatorCommand(["users", "show", "1", "--json"], { DATA_DIR: dataDir });
  expect(JSON.parse(shown.output)).toMatchObject({ email: "ada@example.com", isAdministrator: true });
});

test("an envelope loses its contact and template of another workspace by the upgrade", async () => {
  const dataDir = join(folder, "links");
  await install("0.1.0", dataDir);
  const path = join(dataDir, "doculopes.db");
  const countLinks = (envelopes: string) => {
    const db = new Database(path, { readonly: true });
    const row = db
      .query<{ foreign_links: number; own_links: number }, []>(
        `select (select count(*) from ${envelopes} e join contacts c on c.id = e.contact_id and c.workspace_id <> e.workspace_id)
         + (select count(*) from ${envelopes} e join templates t on t.id = e.template_id and t.workspace_id <> e.workspace_id) as foreign_links,
         (select count(*) > 0 from ${envelopes} where contact_id is not null) as own_links`,
      )
      .get();
    db.close();
    return row;
  };
  const db = new Database(path);
  db.run(
    `update requests set contact_id = (select min(id) from contacts where workspace_id <> 1),
     template_id = (select min(id) from templates where workspace_id <> 1)
     where id = (select min(id) from requests where workspace_id = 1)`,
  );
  db.close();
  expect(countLinks("requests")?.foreign_links).toBeGreaterThan(1);
  const server = spawnServer({ DATA_DIR: dataDir });
  await server.url;
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect(countLinks("envelopes")).toEqual({ foreign_links: 0, own_links: 1 });
});
