import { AsyncLocalStorage } from "node:async_hooks";
import type { D1Database, D1DatabaseSession, D1PreparedStatement } from "@cloudflare/workers-types";

type Session = Pick<D1DatabaseSession, "prepare" | "batch">;
/** Where the statements of an invocation go, and how many calls it has made. */
type Invocation = {
  /** Has everything that was written before the request. */
  latest(): Session;
  /** Has at least what this browser has written. */
  replica(): Session;
  calls: number;
};

const running = new AsyncLocalStorage<Invocation>();

/** D1 rejects further calls of an invocation. */
const MAX_CALLS = 1000;

/** How many calls the running invocation may still make. */
export const callsLeft = (): number => MAX_CALLS - (running.getStore()?.calls ?? 0);

/** D1's form, within a cookie. */
const BOOKMARK = /^(?:[\da-f]{8}-){3}[\da-f]{32}$/;
/** Longer than replicas usually lag. A database that replaces this one does not know the bookmark. */
const LIFETIME_SECONDS = 300;

/**
 * Two databases on one binding, of which the second may lag. Their statements go where the running request says; without
 * one, to the primary.
 */
export const openSessions = (binding: D1Database) => ({
  latest: routed(() => running.getStore()?.latest() ?? binding),
  replica: routed(() => running.getStore()?.replica() ?? binding),
});

/** A binding for Drizzle, which prepares a statement once for all requests: its session is chosen when it runs. */
function routed(session: () => Session): D1Database {
  const counted = () => {
    const invocation = running.getStore();
    if (invocation) invocation.calls += 1;
    return session();
  };
  const prepare = (sql: string, values: unknown[] = []) => {
    const on = (chosen: Session) => chosen.prepare(sql).bind(...values);
    return {
      on,
      bind: (...bound: unknown[]) => prepare(sql, bound),
      all: () => on(counted()).all(),
      raw: () => on(counted()).raw(),
      run: () => on(counted()).run(),
    };
  };
  const batch = (statements: ReturnType<typeof prepare>[]) => {
    const chosen = counted();
    return chosen.batch(statements.map((statement): D1PreparedStatement => statement.on(chosen)));
  };
  return { prepare, batch } as unknown as D1Database;
}

/**
 * Responds to a request in its sessions. A read by a browser begins at the primary, so that it knows who may read what, and
 * goes on at replicas. Everything else stays at the primary. A change gives the browser its bookmark.
 */
export async function withSessions(
  binding: D1Database,
  { method, headers }: Request,
  https: boolean,
  respond: () => Response | Promise<Response>,
): Promise<Response> {
  const cookie = https ? "__Host-bookmark" : "bookmark";
  const sent = new RegExp(`(?:^|; )${cookie}=([^;]*)`).exec(headers.get("Cookie") ?? "")?.[1];
  const fromPrimary = () => binding.withSession("first-primary");
  const byToken = headers.has("Authorization");
  if (!byToken && /^(?:GET|HEAD)$/.test(method)) {
    const latest = fromPrimary();
    const replica = binding.withSession(startOf(sent));
    return running.run({ latest: () => latest, replica: () => replica, calls: 0 }, respond);
  }
  const opened: D1DatabaseSession[] = [];
  const latest = () => {
    const session = fromPrimary();
    opened.push(session);
    return session;
  };
  const response = await running.run({ latest, replica: latest, calls: 0 }, respond);
  const bookmark = opened
    .flatMap((session) => session.getBookmark() ?? [])
    .sort()
    .at(-1);
  if (response.ok && !byToken && bookmark && bookmark !== sent)
    response.headers.append(
      "Set-Cookie",
      `${cookie}=${bookmark}; Max-Age=${LIFETIME_SECONDS}; Path=/; HttpOnly${https ? "; Secure" : ""}; SameSite=Lax`,
    );
  return response;
}

/** Does the work of the schedule as one invocation, at the primary. */
export function inInvocation(binding: D1Database, work: () => Promise<void>): Promise<void> {
  const primary = () => binding;
  return running.run({ latest: primary, replica: primary, calls: 0 }, work);
}

/** A browser that sent no bookmark has written nothing lately. What is none may have been one. */
function startOf(bookmark: string | undefined): string {
  if (bookmark === undefined) return "first-unconstrained";
  return BOOKMARK.test(bookmark) ? bookmark : "first-primary";
}
