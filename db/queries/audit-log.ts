import { and, desc, eq, gte, lt, lte, max, or, type SQL, sql } from "drizzle-orm";
import type { AuditFilter, AuditQuery } from "../../worker/contract/administration";
import type { AuditAction } from "../../worker/contract/audit-actions";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { auditEntries, users } from "../schema";
import { isUnchanged } from "./account-guards";
import { type Condition, onlyWhile } from "./guard";
import type { Page } from "./paging";
import { pageOf, type TakeTurn } from "./query-helpers";
import type { User } from "./users";

export type AuditEntry = typeof auditEntries.$inferSelect;

/** The actor: an operator by a command, or an administrator or the account itself with a session. */
export type Actor =
  | { kind: "command" }
  | {
      kind: "administrator" | "account";
      user: Pick<User, "id" | "email" | "pendingEmail" | "isVerified" | "isAdministrator">;
      sid: string;
      /** The client's address. */
      address: string;
    };

/** Somebody whom the rest of the batch checks: an owner of a workspace, or whoever gets a new account. */
export type Participant = {
  kind: "participant";
  user: { id: number | SQL<number>; email: string };
  address: string;
};

export const COMMAND: Actor = { kind: "command" };
const ENTRIES_PER_PAGE = 50;

type Entry = {
  action: AuditAction;
  /** An account, or an address without one. */
  subject: { userId: number } | { email: string; userId?: SQL<number> };
  detail?: AuditEntry["detail"] | SQL;
  createdAt: string;
};

/**
 * The statement that records an action, first in the batch of the action. It fails the batch if the actor is no longer
 * the administrator who was authorized, or if the account no longer exists.
 */
export function insertAuditEntry(db: Database, actor: Actor | Participant, entry: Entry): Statement {
  const { action, subject, detail = {}, createdAt } = entry;
  const accountEmail = (userId: number) =>
    sql<string>`(select ${users.email} from ${users} where ${users.id} = ${userId} and ${users.deletedAt} is null)`;
  return db.insert(auditEntries).values({
    createdAt,
    action,
    detail,
    actor: onlyWhile(isAuthorized(db, actor), actor.kind === "command" ? "command" : actor.user.email),
    actorId: actor.kind === "command" ? null : actor.user.id,
    address: actor.kind === "command" ? null : actor.address,
    subject: "email" in subject ? subject.email : accountEmail(subject.userId),
    subjectId: subject.userId ?? null,
  });
}

/** The statement that records a new account with the way it came, after the one that creates it. */
export const insertNewAccountEntry = (
  db: Database,
  account: { email: string; createdAt: string; userId: SQL<number> },
  by: { actor: Actor | Participant; detail?: AuditEntry["detail"] },
): Statement =>
  insertAuditEntry(db, by.actor, {
    action: "account_created",
    subject: account,
    detail: sql`json_set(${JSON.stringify(by.detail ?? {})}, '$.way', (select ${users.way} from ${users} where ${users.email} = ${account.email}))`,
    createdAt: account.createdAt,
  });

/** Whether the actor is as they were when they were authorized; an operator is. */
function isAuthorized(db: Database, actor: Actor | Participant): Condition | undefined {
  if (actor.kind === "command" || actor.kind === "participant") return undefined;
  const { id, email, pendingEmail, isVerified, isAdministrator } = actor.user;
  return isUnchanged(db, id, { sid: actor.sid, email, pendingEmail, isVerified, isAdministrator });
}

/** Whether an action failed because its actor is no longer the administrator who was authorized. */
export const isActorRejected = (error: unknown) => violates(error, "not null", auditEntries.actor);

/** Whether an action failed because its account no longer exists. */
export const isSubjectMissing = (error: unknown) => violates(error, "not null", auditEntries.subject);

/** The entries of this kind, about or by this person, on these days. */
function matching({ action, person, from, to }: AuditFilter): (SQL | undefined)[] {
  const names = (column: typeof auditEntries.actor | typeof auditEntries.subject) =>
    sql`instr(lower(${column}), lower(${person})) > 0`;
  return [
    action && eq(auditEntries.action, action),
    person ? or(names(auditEntries.actor), names(auditEntries.subject)) : undefined,
    from ? gte(auditEntries.createdAt, from) : undefined,
    to ? lte(auditEntries.createdAt, `${to}T23:59:59.999Z`) : undefined,
  ];
}

/** Entries that one statement compares with a filter. */
const FILTERED_AT_ONCE = 10_000;

export async function listAuditEntries(
  db: Database,
  { limit = ENTRIES_PER_PAGE, cursor, ...filter }: AuditQuery,
  takeTurn?: TakeTurn,
): Promise<Page<AuditEntry, number>> {
  const [last] = await db.select({ id: max(auditEntries.id) }).from(auditEntries);
  const found: AuditEntry[] = [];
  const after = (last?.id ?? 0) + 1;
  for (let end = Math.min(cursor ?? after, after); end > 1 && found.length <= limit; ) {
    // Where each statement is a call, one reads them all.
    const start = takeTurn ? end - FILTERED_AT_ONCE : 0;
    await takeTurn?.();
    found.push(
      ...(await db
        .select()
        .from(auditEntries)
        .where(and(gte(auditEntries.id, start), lt(auditEntries.id, end), ...matching(filter)))
        .orderBy(desc(auditEntries.id))
        .limit(limit + 1 - found.length)),
    );
    end = start;
  }
  return pageOf({ limit: async () => found }, limit);
}
