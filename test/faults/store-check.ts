import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../support/files";

/** What the server said yes to. */
export type Acknowledged = {
  emails: Set<string>;
  envelopes: Set<number>;
  deleted: Set<number>;
  /** SHA-256 of what was submitted, by envelope. */
  files: Map<number, string>;
};

type FileRow = { envelope: number; path: string };

/** Everything that is wrong with a data folder whose server is at rest; empty where nothing is. */
export async function problemsOfStore(folder: string, told: Acknowledged): Promise<string[]> {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  try {
    return [...(await missing(db, folder, told)), ...(await mismatches(db, folder)), ...damages(db)];
  } finally {
    db.close();
  }
}

const ROWS = "select envelope_id as envelope, file_path as path from submissions";

async function missing(db: Database, folder: string, told: Acknowledged): Promise<string[]> {
  const emails = new Set(column(db, "select email as value from users"));
  const ids = new Set(column(db, "select id as value from requests"));
  const rows = db.query<FileRow, []>(ROWS).all();
  const problems = [
    ...[...told.emails].filter((email) => !emails.has(email)).map((email) => `account ${email} is lost`),
    ...[...told.envelopes].filter((id) => !ids.has(id)).map((id) => `envelope ${id} is lost`),
    ...[...told.deleted].filter((id) => ids.has(id)).map((id) => `envelope ${id} is back`),
  ];
  for (const [id, hash] of told.files) {
    if (told.deleted.has(id)) continue;
    const row = rows.find(({ envelope }) => envelope === id);
    const found = row && (await sha256(Bun.file(join(folder, "uploads", row.path))).catch(() => "no file"));
    if (found !== hash) problems.push(`the file of envelope ${id} is lost`);
  }
  return problems;
}

async function mismatches(db: Database, folder: string): Promise<string[]> {
  const named = new Set(
    column(
      db,
      "select file_path as value from submissions union select replace(avatar_url, '/uploads/', '') from users where avatar_url is not null",
    ),
  );
  const stored = new Set<unknown>(await readdir(join(folder, "uploads")));
  return [
    ...[...named].filter((key) => !stored.has(key)).map((key) => `row without file: ${key}`),
    ...[...stored].filter((key) => !named.has(key)).map((key) => `file without row: ${key}`),
    ...(await readdir(join(folder, "tmp"))).map((name) => `left in tmp: ${name}`),
  ];
}

function damages(db: Database): string[] {
  const halfDone = `select id as value from requests r where (status = 'completed') <> exists
    (select 1 from submissions s where s.envelope_id = r.id)`;
  return [
    ...column(db, halfDone).map((id) => `envelope ${id} is half-done`),
    ...column(db, "select id as value from requests where status not in ('pending', 'completed')").map(
      (id) => `envelope ${id} is in a state that nobody put it in`,
    ),
    ...db
      .query("pragma foreign_key_check")
      .all()
      .map((row) => `foreign key: ${JSON.stringify(row)}`),
    ...column(db, "select integrity_check as value from pragma_integrity_check").flatMap((text) =>
      text === "ok" ? [] : [String(text)],
    ),
  ];
}

function column(db: Database, statement: string): unknown[] {
  return db
    .query<{ value: unknown }, []>(statement)
    .all()
    .map(({ value }) => value);
}
