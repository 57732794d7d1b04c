import type { Database } from "../client";

/**
 * A query whose SQL is built once per database instead of once per call, for frequent queries. Pass values through
 * `sql.placeholder`.
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
