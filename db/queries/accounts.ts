import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import {
  ACCOUNTS_PER_PAGE,
  type AccountsQuery,
  type PagingQuery,
} from "../../worker/contract/administration";
import type { Database, Statement } from "../client";
import { envelopes, users, workspaceMembers, workspaces } from "../schema";
import type { Page } from "./paging";
import { listed, pageOf, pick } from "./query-helpers";
import { bytesIn, reservedBytes, storedBytes } from "./quotas";

/** What administration shows. Nothing here reads the content of an account: no subject, recipient or file name. */

/** Those that are assigned to it, in whichever workspace. */
const ownEnvelopes = sql`(select count(*) from ${envelopes} where ${envelopes.userId} = ${users.id})`;
const account = sql`${users.id}`;
const storageBytes = sql<number>`${storedBytes(account)}`;

const accountColumns = {
  ...pick(users, "id", "email", "pendingEmail", "firstName", "lastName", "isVerified", "verifiedByOwner"),
  ...pick(users, "isAdministrator", "createdAt", "lastSeenAt", "disabledAt", "deletedAt", "storageQuota"),
  // Nested, because Drizzle drops the table name from columns of an expression.
  envelopes: sql<number>`${ownEnvelopes}`,
  workspaces: sql<number>`(select count(*) from ${workspaceMembers} as me where me.user_id = ${account})`,
  ownedWorkspaces: sql<number>`(select count(*) from ${workspaceMembers} as me where me.user_id = ${account} and me.role = 'owner')`,
  storageBytes,
  reservedBytes: sql<number>`${reservedBytes(account)}`,
};

const selectAccounts = (db: Database) => db.select(accountColumns).from(users);

export type Account = Awaited<ReturnType<typeof selectAccounts>>[number];

/** Accounts, the latest first; with a search, those whose address or name contains it. */
export async function listAccounts(
  db: Database,
  { search, limit = ACCOUNTS_PER_PAGE, cursor }: AccountsQuery,
): Promise<Page<Account, number>> {
  return pageOf(
    selectAccounts(db)
      .where(and(search ? contains(search) : undefined, cursor ? lt(users.id, cursor) : undefined))
      .orderBy(desc(users.id)),
    limit,
  );
}

/** Compared without case, which SQLite only knows for ASCII letters. */
const contains = (search: string): SQL =>
  sql`instr(lower(${users.email} || ' ' || coalesce(${users.firstName}, '') || ' ' || coalesce(${users.lastName}, '')), lower(${search})) > 0`;

export const findAccount = (db: Database, userId: number) =>
  selectAccounts(db).where(eq(users.id, userId)).get();

export const findAccountByEmail = (db: Database, email: string) =>
  selectAccounts(db).where(eq(users.email, email)).get();

const workspaceColumns = {
  id: workspaces.id,
  name: workspaces.name,
  /** The owner of record. */
  owner: users.email,
  members: sql<number>`(select count(*) from ${workspaceMembers} as there where there.workspace_id = workspaces.id)`,
  envelopes: sql<number>`(select count(*) from ${envelopes} as inside where inside.workspace_id = workspaces.id)`,
  storageBytes: sql<number>`${bytesIn(sql.raw("(workspaces.id)"))}`,
  storageQuota: workspaces.storageQuota,
};

const selectWorkspaceUse = (db: Database) =>
  db.select(workspaceColumns).from(workspaces).innerJoin(users, eq(users.id, workspaces.userId)).$dynamic();

/** Workspaces and what they store, the latest first; without those that are being deleted or are set aside. */
export async function listWorkspaceUse(
  db: Database,
  { limit = ACCOUNTS_PER_PAGE, cursor }: PagingQuery,
): Promise<Page<WorkspaceUse, number>> {
  const isOpen = and(isNull(workspaces.deletedAt), isNull(workspaces.setAsideAt));
  return pageOf(
    selectWorkspaceUse(db)
      .where(and(isOpen, cursor ? lt(workspaces.id, cursor) : undefined))
      .orderBy(desc(workspaces.id)),
    limit,
  );
}

/** One of them, also one that is being deleted. */
export const findWorkspaceUse = (db: Database, id: number): Promise<WorkspaceUse | undefined> =>
  selectWorkspaceUse(db).where(eq(workspaces.id, id)).get();

export type WorkspaceUse = Awaited<ReturnType<typeof selectWorkspaceUse>>[number];

/** The statement that limits a workspace; null for no limit. */
export const setWorkspaceQuota = (db: Database, id: number, storageQuota: number | null): Statement =>
  db.update(workspaces).set({ storageQuota }).where(eq(workspaces.id, id));

/** The enabled accounts that can be administrators: those with the addresses or, without addresses, those with the role. */
export async function listPossibleAdministrators(db: Database, emails: readonly string[]) {
  const chosen =
    emails.length > 0 ? sql`${users.email} in ${listed(emails)}` : eq(users.isAdministrator, true);
  return db
    .select()
    .from(users)
    .where(and(chosen, isNull(users.disabledAt)));
}

/** At this share of its limit, an account is about to reject files. */
const FULL = 0.95;

/** Whether an enabled account, or a workspace with a limit of its own, has nearly used up its storage. */
export async function isStorageNearlyFull(db: Database, accountBytes: number | null): Promise<boolean> {
  const own = sql`coalesce(${users.storageQuota}, ${accountBytes})`;
  const { storageBytes: inside, storageQuota: limit } = workspaceColumns;
  const [accounts, ofWorkspaces] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          isNull(users.disabledAt),
          // Bytes are summed up only where there is a limit.
          sql`case when ${own} is null or ${own} <= 0 then 0 else ${storageBytes} >= ${FULL} * ${own} end`,
        ),
      )
      .limit(1),
    db
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(
        and(
          isNull(workspaces.deletedAt),
          sql`case when ${limit} is null then 0 else ${inside} >= ${FULL} * ${limit} end`,
        ),
      )
      .limit(1),
  ]);
  return accounts.length + ofWorkspaces.length > 0;
}

export async function listLargestAccounts(db: Database, limit: number) {
  const largest = await db
    .select({ id: users.id, email: users.email, bytes: storageBytes })
    .from(users)
    // By position: SQLite sums up the storage again wherever it is named.
    .orderBy(sql`3 desc`)
    .limit(limit);
  return largest.filter(({ bytes }) => bytes > 0);
}
