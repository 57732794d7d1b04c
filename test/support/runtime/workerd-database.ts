import type { D1Database, D1PreparedStatement } from "@cloudflare/workers-types";

export type WatchedDatabase = { database: D1Database; roundTrips: number };

const RETURN_MORE = new Set(["prepare", "bind", "withSession"]);
const ASKS = new Set(["all", "raw", "run", "first", "batch", "exec"]);

/** Runs in workerd: a real database that counts its calls. */
export function watchDatabase(inner: D1Database): WatchedDatabase {
  const watched = { database: inner, roundTrips: 0 };
  const originals = new WeakMap<object, object>();
  const counting = <T extends object>(target: T): T => {
    const proxy = new Proxy(target, {
      get(_target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (ASKS.has(String(name))) watched.roundTrips += 1;
          const result: unknown = value.apply(target, args.map(unwrap));
          return RETURN_MORE.has(String(name)) ? counting(result as object) : result;
        };
      },
    });
    originals.set(proxy, target);
    return proxy;
  };
  /** D1's batch only accepts D1's own statements. */
  const unwrap = (argument: unknown): unknown => {
    if (Array.isArray(argument)) return argument.map(unwrap);
    return (typeof argument === "object" && argument ? originals.get(argument) : undefined) ?? argument;
  };
  watched.database = counting(inner);
  return watched;
}

/**
 * Runs in workerd: the same database with sessions that have a bookmark of ours. Miniflare's own write something for each
 * bookmark, which takes tests a quarter longer; `test/system/workerd.test.ts` uses them.
 */
export function withQuickSessions(inner: D1Database): D1Database {
  let bookmarks = 0;
  const source = {
    prepare: (sql: string) => inner.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => inner.batch(statements),
  };
  const getBookmark = () => {
    bookmarks += 1;
    return bookmarkOf(bookmarks);
  };
  return { ...source, withSession: () => ({ ...source, getBookmark }) } as unknown as D1Database;
}

/** A bookmark in D1's form. */
export const bookmarkOf = (number: number): string =>
  `00000000-${number.toString(16).padStart(8, "0")}-00000000-${"0".repeat(32)}`;
