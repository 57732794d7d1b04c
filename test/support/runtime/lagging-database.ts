import type { D1Database } from "@cloudflare/workers-types";
import { bookmarkOf } from "./workerd-database";

export type LaggingDatabase = {
  database: D1Database;
  /** Brings the replica up to date. */
  replicate(): Promise<void>;
  /** How many reads the replica has served. */
  replicaReads: number;
};

type Sent = { sql: string; values: unknown[] };

/**
 * Runs in workerd: a D1 database with a replica, which gets no change until `replicate` or a bookmark asks for it. Miniflare
 * has sessions, but no replicas.
 */
export function createLaggingDatabase(primary: D1Database, copy: D1Database): LaggingDatabase {
  const changes: Sent[] = [];
  let applied = 0;
  const prepareOn = (db: D1Database, { sql, values }: Sent) => db.prepare(sql).bind(...values);
  const replicate = async (until: number) => {
    if (until > changes.length)
      throw new Error("D1_ERROR: The replica waits for a change that does not exist");
    const missing = changes.slice(applied, until);
    if (missing.length > 0) await copy.batch(missing.map((change) => prepareOn(copy, change)));
    applied = Math.max(applied, until);
  };
  /** Where these statements of a session run. `seen` is what it has seen so far, null before its first one. */
  const run = async <T>(
    sent: Sent[],
    session: { start: string; seen: number | null },
    work: (db: D1Database) => Promise<T>,
  ): Promise<T> => {
    const changing = sent.filter(({ sql }) => !/^\s*select\b/i.test(sql));
    if (changing.length > 0 || (session.start === "first-primary" && session.seen === null)) {
      const result = await work(primary);
      changes.push(...changing);
      session.seen = changes.length;
      return result;
    }
    await replicate(session.seen ?? numberOf(session.start));
    lagging.replicaReads += 1;
    session.seen = applied;
    return work(copy);
  };
  const open = (start: string, { isSession }: { isSession: boolean }) => {
    const session = { start, seen: null as number | null };
    const runs = <T>(sent: Sent[], work: (db: D1Database) => Promise<T>) =>
      run(sent, isSession ? session : { start, seen: null }, work);
    const prepare = (sql: string, values: unknown[] = []) => {
      const sent = { sql, values };
      return {
        sent,
        bind: (...bound: unknown[]) => prepare(sql, bound),
        all: () => runs([sent], (db) => prepareOn(db, sent).all()),
        raw: () => runs([sent], (db) => prepareOn(db, sent).raw()),
        run: () => runs([sent], (db) => prepareOn(db, sent).run()),
      };
    };
    return {
      prepare,
      batch(statements: ReturnType<typeof prepare>[]) {
        const all = statements.map(({ sent }) => sent);
        return runs(all, (db) => db.batch(all.map((sent) => prepareOn(db, sent))));
      },
      getBookmark: () => (session.seen === null ? null : bookmarkOf(session.seen)),
    };
  };
  const lagging: LaggingDatabase = {
    database: {
      ...open("first-primary", { isSession: false }),
      withSession: (start = "first-unconstrained") => open(start, { isSession: true }),
    } as unknown as D1Database,
    replicate: () => replicate(changes.length),
    replicaReads: 0,
  };
  return lagging;
}

/** The number of changes that a session asks for when it begins. */
const numberOf = (start: string) =>
  start === "first-unconstrained" ? 0 : Number.parseInt(start.split("-")[1] ?? "", 16);
