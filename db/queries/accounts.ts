import { and, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { AccountsQuery } from "../../worker/contract/administration";
import { ACCOUNTS_PER_PAGE } from "../../worker/contract/administration";
import type { Database } from "../client";
import {
  envelopes,
  invitations,
  jobRuns,
  notifications,
  submissions,
  uploads,
  users,
  webhookDeliveries,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import type { Page } from "./paging";
import { listed, pageOf } from "./query-helpers";
import { reservedBytes, storedBytes, textBytes } from "./quotas";

/** What administration shows. Nothing here reads the content of an account: no subject, recipient or file name. */

const ownEnvelopes = sql`(select count(*) from ${workspaces} join ${envelopes} on ${envelopes.workspaceId} = ${workspaces.id} where ${workspaces.userId} = ${users.id})`;
const account = sql`${users.id}`;
const storageBytes = sql<number>`${storedBytes(account)}`;

const accountColumns = {
  id: users.id,
  email: users.email,
  pendingEmail: users.pendingEmail,
  firstName: users.firstName,
  lastName: users.lastName,
  isVerified: users.isVerified,
  verifiedByOwner: users.verifiedByOwner,
  isAdministrator: users.isAdministrator,
  createdAt: users.createdAt,
  lastSeenAt: users.lastSeenAt,
  disabledAt: users.disabledAt,
  deletedAt: users.deletedAt,
  storageQuota: users.storageQuota,
  // Nested, because Drizzle drops the table name from columns of an expression.
  envelopes: sql<number>`${ownEnvelopes}`,
  workspaces: sql<number>`(select count(*) from ${workspaceMembers} as me where me.user_id = ${users.id})`,
  ownedWorkspaces: sql<number>`(select count(*) from ${workspaceMembers} as me where me.user_id = ${users.id} and me.role = 'owner')`,
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
  const rows = await selectAccounts(db)
    .where(and(search ? contains(search) : undefined, cursor ? lt(users.id, cursor) : undefined))
    .orderBy(desc(users.id))
    .limit(limit + 1);
  return pageOf(rows, limit);
}

/** Compared without case, which SQLite only knows for ASCII letters. */
const contains = (search: string): SQL =>
  sql`instr(lower(${users.email} || ' ' || coalesce(${users.firstName}, '') || ' ' || coalesce(${users.lastName}, '')), lower(${search})) > 0`;

export const findAccount = (db: Database, userId: number) =>
  selectAccounts(db).where(eq(users.id, userId)).get();

/** For an operator's command. */
export const findAccountByEmail = (db: Database, email: string) =>
  selectAccounts(db).where(eq(users.email, email)).get();

/** The enabled accounts that can be administrators: those with the addresses or, without addresses, those with the role. */
export async function listPossibleAdministrators(db: Database, emails: readonly string[]) {
  const chosen =
    emails.length > 0 ? sql`${users.email} in ${listed(emails)}` : eq(users.isAdministrator, true);
  return db
    .select()
    .from(users)
    .where(and(chosen, isNull(users.disabledAt)));
}

/** Counts of the whole instance. */
export async function readInstanceCounts(
  db: Database,
  { activeSince, failedSince, now }: { activeSince: string; failedSince: string; now: string },
) {
  const total = sql<number>`count(*)`;
  const [
    accounts,
    others,
    byStatus,
    files,
    underWay,
    outbox,
    quarantined,
    jobs,
    endpoints,
    messages,
    members,
    invited,
  ] = await db.batch([
    db
      .select({
        all: total,
        disabled: sql<number>`count(${users.disabledAt})`,
        active: sql<number>`count(case when ${users.lastSeenAt} >= ${activeSince} then 1 end)`,
        avatarBytes: sql<number>`coalesce(sum(${users.avatarSize}), 0)`,
      })
      .from(users)
      .where(isNull(users.deletedAt)),
    db
      .select({ bytes: sql<number>`coalesce(sum(${workspaces.logoSize}), 0) + ${textBytes()}` })
      .from(workspaces),
    db.select({ status: envelopes.status, count: total }).from(envelopes).groupBy(envelopes.status),
    db
      .select({ count: total, bytes: sql<number>`coalesce(sum(${submissions.fileSize}), 0)` })
      .from(submissions)
      .where(isNull(submissions.deletedAt)),
    db.select({ count: total, bytes: sql<number>`coalesce(sum(${uploads.offset}), 0)` }).from(uploads),
    db
      .select({
        waiting: sql<number>`count(case when ${notifications.status} = 'queued' then 1 end)`,
        failed: sql<number>`count(case when ${notifications.status} = 'failed' then 1 end)`,
        oldestWaiting: sql<
          string | null
        >`min(case when ${notifications.status} = 'queued' then ${notifications.createdAt} end)`,
      })
      .from(notifications)
      .where(
        or(
          eq(notifications.status, "queued"),
          and(eq(notifications.status, "failed"), gte(notifications.nextAttemptAt, failedSince)),
        ),
      ),
    db.select({ count: total }).from(submissions).where(isNotNull(submissions.scanDueAt)),
    db.select({ job: jobRuns.job, hour: jobRuns.hour }).from(jobRuns).orderBy(jobRuns.job),
    db
      .select({
        total,
        enabled: sql<number>`count(case when ${webhooks.enabled} then 1 end)`,
        failing: sql<number>`count(case when ${webhooks.enabled} then ${webhooks.failingSince} end)`,
      })
      .from(webhooks),
    db.select({ count: total }).from(webhookDeliveries).where(sql`${webhookDeliveries.status} = 'pending'`),
    db
      .select({
        memberships: total,
        total: sql<number>`count(distinct ${workspaceMembers.workspaceId})`,
        shared: sql<number>`count(distinct case when exists (select 1 from ${workspaceMembers} as other where other.workspace_id = ${workspaceMembers}.workspace_id and other.user_id <> ${workspaceMembers}.user_id) then ${workspaceMembers.workspaceId} end)`,
      })
      .from(workspaceMembers),
    db
      .select({ count: total })
      .from(invitations)
      .where(and(isNotNull(invitations.workspaceId), gt(invitations.expiresAt, now))),
  ]);
  return {
    accounts: accounts[0],
    logoAndTextBytes: others[0]?.bytes ?? 0,
    byStatus,
    files: files[0],
    underWay: underWay[0],
    outbox: outbox[0],
    quarantined: quarantined[0]?.count ?? 0,
    jobs,
    webhooks: endpoints[0],
    webhookMessages: messages[0]?.count ?? 0,
    members: members[0],
    invitations: invited[0]?.count ?? 0,
  };
}

/** The accounts with the most stored bytes. */
export const listLargestAccounts = (db: Database, limit: number) =>
  db
    .select({ id: users.id, email: users.email, bytes: storageBytes })
    .from(users)
    .where(sql`${storageBytes} > 0`)
    .orderBy(desc(storageBytes))
    .limit(limit);
