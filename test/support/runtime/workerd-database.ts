import type { D1Database } from "@cloudflare/workers-types";

export type WatchedDatabase = { database: D1Database; roundTrips: number };

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
          return name === "prepare" || name === "bind" ? counting(result as object) : result;
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
