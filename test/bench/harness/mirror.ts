import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type InValue } from "@libsql/client";

type Json = Record<string, unknown>;

/**
 * Stores the app's response in a flat table with the same columns, for the bare baseline to read. Nested values become
 * a text as long as their JSON.
 */
export async function mirror(folder: string, table: "one" | "many", rows: Json[]): Promise<void> {
  const client = createClient({ url: pathToFileURL(join(folder, "rows.db")).href });
  const columns = Object.keys(rows[0] ?? {});
  await client.execute("pragma journal_mode = wal");
  await client.execute(`create table ${table} (${columns.map((name) => columnOf(name)).join(", ")})`);
  const places = columns.map(() => "?").join(", ");
  await client.batch(
    rows.map((row) => ({
      sql: `insert into ${table} values (${places})`,
      args: columns.map((name) => flat(row[name])),
    })),
    "write",
  );
  client.close();
}

const columnOf = (name: string) =>
  name === "id" || name === "token" ? `"${name}" primary key` : `"${name}"`;

function flat(value: unknown): InValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  return "x".repeat(Math.max(0, (JSON.stringify(value) ?? "").length - 2));
}
