import type { D1Database } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";
import { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { Database } from "./client";

/** The database behind a Worker's D1 binding. */
export function openD1(binding: D1Database): Database {
  const db = drizzle(binding, { casing: "snake_case" });
  const batch = db.batch.bind(db);
  return Object.assign(db, {
    batch: ((statements) => {
      // Drizzle's D1 batch expects every statement with parameters to be prepared; raw statements are not.
      for (const statement of statements)
        if (statement instanceof SQLiteRaw)
          Object.assign(statement, { stmt: binding.prepare(statement.getQuery().sql) });
      return batch(statements);
    }) satisfies Database["batch"],
  });
}
