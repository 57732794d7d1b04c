import { and, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Quotas } from "../../worker/contract/quotas";
import { type Database, runBatch, type Statement } from "../client";
import { envelopeDocuments, envelopes, fileDeletions, submissions, uploads } from "../schema";
import { isOpenWorkspace } from "./members";
import { hasRows, listed, pick, valuesOf } from "./query-helpers";
import { canBeginUpload, canReceive, withinQuotas } from "./quotas";

export type Upload = typeof uploads.$inferSelect;
export type UploadChanges = Partial<Omit<Upload, "rowId" | "id" | "envelopeId" | "envelopeDocumentId">>;
type NewUpload = Pick<
  Upload,
  "id" | "envelopeDocumentId" | "fileName" | "fileSize" | "metadata" | "filePath" | "createdAt"
>;
/** An upload of the envelope behind a link. */
type Named = { submissionToken: string; id: string };

/** Uploads with an earlier last byte have expired. Until the first byte, `lastByteAt` is the time of creation. */
type AliveSince = { empty: string; continued: string };

/** The envelope's uploads that are not submitted yet. */
export const stagedFiles = {
  table: uploads,
  key: "rowId" as const,
  fields: pick(uploads, "rowId", "id", "envelopeDocumentId", "fileName", "fileSize", "offset", "completedAt"),
  // As many as a file name has at most, and more.
  bytes: sql`1000 * count(*)`,
};

/** Whether the row's document is open: not answered yet, or returned. */
const takesFiles = sql`${envelopeDocuments.kind} = 'file' and (${envelopeDocuments.review} is 'returned' or (${envelopeDocuments.review} is null and not exists
  (select 1 from ${submissions} where ${submissions.envelopeDocumentId} = ${envelopeDocuments.id} and not ${submissions.superseded})))`;

/**
 * Adds an upload if its envelope is pending and both the document and the quotas allow another file.
 * @returns whether it was added
 */
export function insertUpload(
  db: Database,
  submissionToken: string,
  upload: NewUpload,
  quotas: Quotas,
): Promise<boolean> {
  const none = (column: string) => sql`null`.as(column);
  const ofDocument = sql`(select count(*) from ${uploads} where ${uploads.envelopeDocumentId} = ${envelopeDocuments.id})`;
  const mostFiles = sql`case when ${envelopeDocuments.multiple} then ${LIMITS.filesPerDocument} else 1 end`;
  // All columns in table order, as `insert … select` requires.
  const row = db
    .select({
      rowId: none("row_id"),
      id: sql`${upload.id}`.as("id"),
      envelopeId: envelopes.id,
      envelopeDocumentId: envelopeDocuments.id,
      fileName: sql`${upload.fileName}`.as("file_name"),
      fileSize: sql`${upload.fileSize}`.as("file_size"),
      metadata: sql`${upload.metadata}`.as("metadata"),
      filePath: sql`${upload.filePath}`.as("file_path"),
      offset: sql`0`.as("offset"),
      storeState: sql`''`.as("store_state"),
      sample: none("sample"),
      mimeType: none("mime_type"),
      sha256: none("sha256"),
      scanDueAt: none("scan_due_at"),
      createdAt: sql`${upload.createdAt}`.as("created_at"),
      lastByteAt: sql`${upload.createdAt}`.as("last_byte_at"),
      completedAt: none("completed_at"),
      lockedBy: none("locked_by"),
      lockedUntil: none("locked_until"),
    })
    .from(envelopeDocuments)
    .innerJoin(envelopes, eq(envelopes.id, envelopeDocuments.envelopeId))
    .where(
      and(
        eq(envelopes.submissionToken, submissionToken),
        eq(envelopes.status, "pending"),
        isOpenWorkspace(envelopes.workspaceId),
        eq(envelopeDocuments.id, upload.envelopeDocumentId),
        sql`${ofDocument} < ${mostFiles}`,
        takesFiles,
        canBeginUpload(quotas),
        withinQuotas(quotas, upload.fileSize),
      ),
    );
  return hasRows(db.insert(uploads).select(row).returning({ id: uploads.id }));
}

/** An upload that has not expired. */
export const findUpload = (db: Database, named: Named, aliveSince: AliveSince) =>
  db
    .select()
    .from(uploads)
    .where(and(isNamed(named), isAlive(aliveSince)))
    .get();

/**
 * Locks the upload for one request, unless another request holds the lock; undefined if it is locked or does not exist.
 */
export async function lockUpload(
  db: Database,
  named: Named,
  lock: { lockedBy: string; now: string; lockedUntil: string; aliveSince: AliveSince },
): Promise<Upload | undefined> {
  const { lockedBy, lockedUntil, now, aliveSince } = lock;
  const isFree = or(isNull(uploads.lockedUntil), lte(uploads.lockedUntil, now));
  return db
    .update(uploads)
    .set({ lockedBy, lockedUntil })
    .where(and(isNamed(named), isAlive(aliveSince), isFree))
    .returning()
    .get();
}

/**
 * Changes an upload that the request has locked, if the quotas allow the bytes received since its previous change.
 * @param token of the link, unless the change is allowed after the link was replaced
 * @returns whether it was changed
 */
export const updateLockedUpload = (
  db: Database,
  { rowId, lockedBy }: Pick<Upload, "rowId" | "lockedBy">,
  changes: UploadChanges,
  { received, quotas, token }: { received: number; quotas?: Quotas; token?: string } = { received: 0 },
) =>
  hasRows(
    db
      .update(uploads)
      .set(changes)
      .where(
        and(
          eq(uploads.rowId, rowId),
          eq(uploads.lockedBy, lockedBy ?? ""),
          quotas && received > 0 ? canReceive(quotas, received) : undefined,
          token === undefined ? undefined : uploadsOfLink(token),
        ),
      )
      .returning({ id: uploads.id }),
  );

/** The finished uploads of the envelope behind a link, in the order of their start. */
export async function listFinishedUploads(db: Database, submissionToken: string) {
  const rows = await db
    .select(
      pick(uploads, "rowId", "envelopeDocumentId", "fileName", "fileSize", "mimeType", "sha256", "scanDueAt"),
    )
    .from(uploads)
    .where(and(uploadsOfLink(submissionToken), isNotNull(uploads.completedAt)));
  return rows.sort((one, other) => one.rowId - other.rowId);
}

export type FinishedUpload = Awaited<ReturnType<typeof listFinishedUploads>>[number];

/** Uploads by their row. */
export const uploadsById = (rows: readonly Pick<Upload, "rowId">[]): SQL =>
  inArray(uploads.rowId, listed(rows.map(({ rowId }) => rowId)));

/** The statement that removes uploads whose files have become submissions. */
export const deleteSubmittedUploads = (db: Database, rows: readonly Pick<Upload, "rowId">[]): Statement =>
  db.delete(uploads).where(uploadsById(rows));

/** Deletes an upload and records its file for deletion. @returns whether the upload existed */
export async function deleteUpload(db: Database, named: Named, now: string): Promise<boolean> {
  const [, rows] = await db.batch([
    insertUploadDeletions(db, isNamed(named), now),
    db.delete(uploads).where(isNamed(named)).returning({ id: uploads.id }),
  ]);
  return rows.length > 0;
}

/** Statements that delete the uploads that match, and record their files for deletion. */
export function deleteUploads(db: Database, where: SQL | undefined, now: string): Statement[] {
  return [insertUploadDeletions(db, where, now), db.delete(uploads).where(where)];
}

/** Records the files of the uploads for deletion, in the batch that deletes their rows. */
export function insertUploadDeletions(db: Database, where: SQL | undefined, now: string) {
  const files = db
    .select({
      key: uploads.filePath,
      removedAt: sql`${now}`.as("removed_at"),
      storeState: uploads.storeState,
    })
    .from(uploads)
    .where(where);
  return db.insert(fileDeletions).select(files).onConflictDoNothing();
}

export function uploadsOf(which: SQL | undefined): SQL {
  return inArray(uploads.envelopeId, valuesOf(envelopes.id, which));
}

/** Deletes at most so many of the expired ones. @returns whether there may be more */
export async function deleteSomeExpiredUploads(
  db: Database,
  { aliveSince: { empty, continued }, now, limit }: { aliveSince: AliveSince; now: string; limit: number },
): Promise<boolean> {
  const hasExpired = or(eq(uploads.offset, 0), lte(uploads.lastByteAt, continued));
  const isExpired = and(lte(uploads.lastByteAt, empty), hasExpired);
  const rows = await db.select({ rowId: uploads.rowId }).from(uploads).where(isExpired).limit(limit);
  // One may have been continued meanwhile.
  if (rows.length > 0) await runBatch(db, deleteUploads(db, and(uploadsById(rows), isExpired), now));
  return rows.length === limit;
}

const isAlive = ({ empty, continued }: AliveSince) =>
  or(gt(uploads.lastByteAt, empty), and(gt(uploads.offset, 0), gt(uploads.lastByteAt, continued)));

/** All uploads of the envelope behind a link. */
export const uploadsOfLink = (submissionToken: string) =>
  sql`${uploads.envelopeId} = (select ${envelopes.id} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken})`;

const isNamed = ({ submissionToken, id }: Named) => and(eq(uploads.id, id), uploadsOfLink(submissionToken));
