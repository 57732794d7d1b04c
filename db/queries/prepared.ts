import type { Database } from "../client";

/**
 * A query whose SQL is built once for each database, not once for each call: for those that many calls
 * depend on. Values go in through `sql.placeholder`.
 */
export function prepared<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    let query = queries.get(db);
    if (!query) {
      query = prepare(db);
      queries.set(db, query);
    }
    return query;
  };
}
