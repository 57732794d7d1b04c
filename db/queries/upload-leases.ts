import { and, eq, exists, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { UPLOAD_ID_LENGTH } from "../../worker/contract/files";
import type { Quotas, Usage } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import {
  attachments,
  envelopes,
  fileDeletions,
  submissions,
  uploadLeases,
  uploads,
  users,
  workspaces,
} from "../schema";
import { isOpenWorkspace } from "./members";
import { bind, hasRows, listed, pick, prepared, valuesOf } from "./query-helpers";
import { canBeginUpload, GIVEN_QUOTAS, selectUsage, withinQuotas } from "./quotas";

type NewLease = { id: string; keyPrefix: string; userId?: number; bytes: number };
/** The state of a lease at one moment. */
export type SeenLease = { id: string; keyPrefix: string; heartbeat: number; revoked: boolean };

/** Takes a lease on all keys that begin with its prefix. */
export async function insertUploadLease(db: Database, lease: NewLease): Promise<void> {
  await db.insert(uploadLeases).values({ ...lease, heartbeat: 0 });
}

/**
 * Takes a lease for the envelope behind the link, if the envelope is pending and the declared bytes are within its
 * quotas. `bytes` of them count from the start.
 * @returns whether the lease was taken, and the usage of the quotas including the lease
 */
export async function insertEnvelopeLease(
  db: Database,
  submissionToken: string,
  { quotas, ...lease }: { leaseId: string; bytes: number; declared: number; quotas: Quotas },
): Promise<{ taken: boolean; usage: Usage | undefined }> {
  const [rows, [usage]] = await db.batch([
    bind(envelopeLease(db), { submissionToken, ...lease, ...quotas }),
    selectUsage(db, submissionToken, quotas),
  ]);
  return { taken: rows.length > 0, usage };
}

const envelopeLease = prepared((db) => {
  const leaseId = sql`${sql.placeholder("leaseId")}`;
  const lease = db
    .select({
      id: leaseId.as("id"),
      keyPrefix: leaseId.as("key_prefix"),
      envelopeId: envelopes.id,
      userId: envelopes.userId,
      bytes: sql`${sql.placeholder("bytes")}`.as("bytes"),
      heartbeat: sql`0`.as("heartbeat"),
      revoked: sql`0`.as("revoked"),
    })
    .from(envelopes)
    .where(
      and(
        eq(envelopes.submissionToken, sql.placeholder("submissionToken")),
        eq(envelopes.status, "pending"),
        isOpenWorkspace(envelopes.workspaceId),
        canBeginUpload(GIVEN_QUOTAS),
        withinQuotas(GIVEN_QUOTAS, sql.placeholder("declared")),
      ),
    );
  return db.insert(uploadLeases).select(lease).returning({ id: uploadLeases.id }).prepare();
});

/**
 * Increases what an envelope's lease counts towards the quotas, if they allow it and the lease is valid.
 * @returns whether it was increased
 */
export function growEnvelopeLease(
  db: Database,
  leaseId: string,
  { from, to, quotas }: { from: number; to: number; quotas: Quotas },
): Promise<boolean> {
  const fitting = valuesOf(
    envelopes.id,
    and(eq(envelopes.id, uploadLeases.envelopeId), withinQuotas(quotas, to - from)),
  );
  return hasRows(
    db
      .update(uploadLeases)
      .set({ bytes: to })
      .where(and(eq(uploadLeases.id, leaseId), eq(uploadLeases.revoked, false), exists(fitting)))
      .returning({ id: uploadLeases.id }),
  );
}

/** Renews the leases. @returns the ids of those that still exist */
export async function renewUploadLeases(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .update(uploadLeases)
    .set({ heartbeat: sql`${uploadLeases.heartbeat} + 1` })
    .where(and(inArray(uploadLeases.id, listed(ids)), eq(uploadLeases.revoked, false)))
    .returning({ id: uploadLeases.id });
  return rows.map(({ id }) => id);
}

export const listUploadLeases = (db: Database) =>
  db
    .select({
      ...pick(uploadLeases, "id", "keyPrefix", "heartbeat", "revoked"),
    })
    .from(uploadLeases);

/**
 * Revokes a lease that has not been renewed since it was read.
 * @returns whether it was revoked
 */
export const revokeSilentLease = (db: Database, { id, heartbeat }: Pick<SeenLease, "id" | "heartbeat">) =>
  hasRows(
    db
      .update(uploadLeases)
      .set({ revoked: true })
      .where(and(eq(uploadLeases.id, id), eq(uploadLeases.heartbeat, heartbeat)))
      .returning({ id: uploadLeases.id }),
  );

/** Revokes a lease: nothing can be recorded under it any more, and its files will be removed. */
export async function revokeUploadLease(db: Database, leaseId: string): Promise<void> {
  await db.update(uploadLeases).set({ revoked: true }).where(eq(uploadLeases.id, leaseId));
}

/** Deletes a lease without files. */
export async function deleteUploadLease(db: Database, leaseId: string): Promise<void> {
  await db.delete(uploadLeases).where(eq(uploadLeases.id, leaseId));
}

export const findUploadLease = (db: Database, leaseId: string) =>
  db.select({ revoked: uploadLeases.revoked }).from(uploadLeases).where(eq(uploadLeases.id, leaseId)).get();

/**
 * Statements that end a lease in the batch that records its files. If it no longer exists or was revoked, its heartbeat
 * becomes NULL, which violates NOT NULL: the statement fails, and with it the batch.
 */
export function endUploadLease(db: Database, leaseId: string): Statement[] {
  const heartbeat = sql`(select ${uploadLeases.heartbeat} from ${uploadLeases} where ${uploadLeases.id} = ${leaseId} and not ${uploadLeases.revoked})`;
  return [
    db
      .insert(uploadLeases)
      .values({ id: leaseId, keyPrefix: "", bytes: 0, heartbeat })
      .onConflictDoUpdate({ target: uploadLeases.id, set: { bytes: 0 } }),
    db.delete(uploadLeases).where(eq(uploadLeases.id, leaseId)),
  ];
}

const key = sql<string>`value`;
/** Its lease, which covers every key or those that begin with its prefix. */
const leased = sql`select 1 from ${uploadLeases} where ${uploadLeases.keyPrefix} in ('', substr(${key}, 1, ${UPLOAD_ID_LENGTH}))`;
const unreferenced = sql`not exists (select 1 from ${submissions} where ${submissions.filePath} = ${key} and ${submissions.deletedAt} is null)
  and not exists (select 1 from ${uploads} where ${uploads.filePath} = ${key})
  and not exists (select 1 from ${attachments} where ${attachments.filePath} = ${key})
  and '/uploads/' || ${key} not in (select ${users.avatarUrl} from ${users} where ${users.avatarUrl} is not null)
  and not exists (select 1 from ${workspaces} where ${workspaces.logoUrl} = '/uploads/' || ${key})`;

/**
 * The keys that neither a row nor a lease references. One statement, so that a file which is recorded meanwhile is
 * found under either its lease or its row.
 */
export function listOrphanKeys(db: Database, keys: string[]): Promise<string[]> {
  return keysWhere(db, keys, sql`${unreferenced} and not exists (${leased} and not ${uploadLeases.revoked})`);
}

/**
 * The keys that this database has never heard of, or no longer knows: in no row, under no lease, not even one that was
 * revoked, and not about to be deleted. One statement, for the same reason.
 */
export function listUnknownKeys(db: Database, keys: string[]): Promise<string[]> {
  return keysWhere(
    db,
    keys,
    sql`${unreferenced} and not exists (${leased})
      and not exists (select 1 from ${fileDeletions} where ${fileDeletions.key} = ${key})`,
  );
}

/** Whether recipients' files are recorded that should be in the store. */
export const hasSubmittedFiles = (db: Database) =>
  hasRows(db.select({ id: submissions.id }).from(submissions).where(isNull(submissions.deletedAt)).limit(1));

async function keysWhere(db: Database, keys: string[], condition: SQL): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .select({ key })
    .from(sql`json_each(${JSON.stringify(keys)})`)
    .where(condition);
  return rows.map((row) => row.key);
}
