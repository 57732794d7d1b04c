import { and, eq, inArray, sql } from "drizzle-orm";
import { UPLOAD_ID_LENGTH } from "../../worker/contract/files";
import type { Quotas, Usage } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { envelopes, submissions, uploadLeases, uploads, users } from "../schema";
import { canBeginUpload, selectUsage, withinQuotas } from "./quotas";

type NewLease = { id: string; keyPrefix: string; userId?: number; bytes: number };
/** The state of a lease at one moment. */
export type SeenLease = { id: string; keyPrefix: string; heartbeat: number; revoked: boolean };

/** Takes a lease on all keys that begin with its prefix. */
export async function insertUploadLease(db: Database, lease: NewLease): Promise<void> {
  await db.insert(uploadLeases).values({ ...lease, heartbeat: 0 });
}

/**
 * Takes a lease for the envelope behind the link, if the envelope is pending and within its quotas.
 * @returns whether the lease was taken, and the usage of the quotas including the lease
 */
export async function insertEnvelopeLease(
  db: Database,
  submissionToken: string,
  { leaseId, bytes, quotas }: { leaseId: string; bytes: number; quotas: Quotas },
): Promise<{ taken: boolean; usage: Usage | undefined }> {
  const lease = db
    .select({
      id: sql`${leaseId}`.as("id"),
      keyPrefix: sql`${leaseId}`.as("key_prefix"),
      envelopeId: envelopes.id,
      userId: envelopes.userId,
      bytes: sql`${bytes}`.as("bytes"),
      heartbeat: sql`0`.as("heartbeat"),
      revoked: sql`0`.as("revoked"),
    })
    .from(envelopes)
    .where(
      and(
        eq(envelopes.submissionToken, submissionToken),
        eq(envelopes.status, "pending"),
        canBeginUpload(quotas),
        withinQuotas(quotas, bytes),
      ),
    );
  const [rows, [usage]] = await db.batch([
    db.insert(uploadLeases).select(lease).returning({ id: uploadLeases.id }),
    selectUsage(db, submissionToken, quotas),
  ]);
  return { taken: rows.length > 0, usage };
}

/**
 * Renews the leases, and stores how many bytes each has received so far.
 * @returns the ids of those that still exist
 */
export async function renewUploadLeases(
  db: Database,
  bytesOfLeases: ReadonlyMap<string, number>,
): Promise<string[]> {
  const leaseList = JSON.stringify(Object.fromEntries(bytesOfLeases));
  const bytes = sql`(select value from json_each(${leaseList}) where key = ${uploadLeases.id})`;
  const rows = await db
    .update(uploadLeases)
    .set({
      heartbeat: sql`${uploadLeases.heartbeat} + 1`,
      bytes: sql`max(${uploadLeases.bytes}, ${bytes})`,
    })
    .where(
      and(
        inArray(uploadLeases.id, sql`(select key from json_each(${leaseList}))`),
        eq(uploadLeases.revoked, false),
      ),
    )
    .returning({ id: uploadLeases.id });
  return rows.map(({ id }) => id);
}

/** Every lease as it is now. */
export async function listUploadLeases(db: Database): Promise<SeenLease[]> {
  return db
    .select({
      id: uploadLeases.id,
      keyPrefix: uploadLeases.keyPrefix,
      heartbeat: uploadLeases.heartbeat,
      revoked: uploadLeases.revoked,
    })
    .from(uploadLeases);
}

/**
 * Revokes a lease that has not been renewed since it was read.
 * @returns whether it was revoked
 */
export async function revokeSilentLease(
  db: Database,
  { id, heartbeat }: Pick<SeenLease, "id" | "heartbeat">,
): Promise<boolean> {
  const rows = await db
    .update(uploadLeases)
    .set({ revoked: true })
    .where(and(eq(uploadLeases.id, id), eq(uploadLeases.heartbeat, heartbeat)))
    .returning({ id: uploadLeases.id });
  return rows.length > 0;
}

/** Revokes a lease: nothing can be recorded under it any more, and its files will be removed. */
export async function revokeUploadLease(db: Database, leaseId: string): Promise<void> {
  await db.update(uploadLeases).set({ revoked: true }).where(eq(uploadLeases.id, leaseId));
}

/** Deletes a lease without files. */
export async function deleteUploadLease(db: Database, leaseId: string): Promise<void> {
  await db.delete(uploadLeases).where(eq(uploadLeases.id, leaseId));
}

export async function findUploadLease(db: Database, leaseId: string) {
  const [row] = await db
    .select({ revoked: uploadLeases.revoked })
    .from(uploadLeases)
    .where(eq(uploadLeases.id, leaseId));
  return row;
}

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

/**
 * The keys that neither a row nor a lease references. One statement, so that a file which is recorded meanwhile is
 * found under either its lease or its row.
 */
export async function listOrphanKeys(db: Database, keys: string[]): Promise<string[]> {
  const key = sql<string>`value`;
  const rows = await db
    .select({ key })
    .from(sql`json_each(${JSON.stringify(keys)})`)
    .where(
      sql`not exists (select 1 from ${submissions} where ${submissions.filePath} = ${key} and ${submissions.deletedAt} is null)
        and not exists (select 1 from ${uploads} where ${uploads.filePath} = ${key})
        and '/uploads/' || ${key} not in (select ${users.avatarUrl} from ${users} where ${users.avatarUrl} is not null)
        and not exists (select 1 from ${uploadLeases} where ${uploadLeases.keyPrefix} in ('', substr(${key}, 1, ${UPLOAD_ID_LENGTH})) and not ${uploadLeases.revoked})`,
    );
  return rows.map((row) => row.key);
}
