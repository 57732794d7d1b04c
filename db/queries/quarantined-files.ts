import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopes, fileDeletions, submissions, users } from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { deletionColumns } from "./file-deletions";
import { updateFileBytes } from "./list-columns";
import { insertFromEnvelopes } from "./notifications";
import { pick, valuesOf } from "./query-helpers";

/** A file that one process scans. Claiming it again changes `scanDueAt`. */
export type QuarantinedFile = Pick<
  typeof submissions.$inferSelect,
  "id" | "filePath" | "documentName" | "createdAt"
> & {
  scanDueAt: string;
};

const stillClaimed = ({ id, scanDueAt }: Pick<QuarantinedFile, "id" | "scanDueAt">) =>
  and(eq(submissions.id, id), eq(submissions.scanDueAt, scanDueAt), isNull(submissions.deletedAt));

/** Claims the file that has waited longest for the scanner until `dueAgainAt`. */
export async function claimQuarantinedFile(
  db: Database,
  { now, dueAgainAt }: { now: string; dueAgainAt: string },
): Promise<QuarantinedFile | undefined> {
  const next = db
    .select({ id: submissions.id })
    .from(submissions)
    .where(and(lte(submissions.scanDueAt, now), isNull(submissions.deletedAt)))
    .orderBy(asc(submissions.scanDueAt))
    .limit(1);
  const [file] = await db
    .update(submissions)
    .set({ scanDueAt: dueAgainAt })
    .where(inArray(submissions.id, next))
    .returning({
      ...pick(submissions, "id", "filePath", "documentName", "createdAt"),
    });
  return file && { ...file, scanDueAt: dueAgainAt };
}

/** Sets when a quarantined file is scanned next, and why it was not scanned; a null `scanDueAt` releases it. */
export function updateQuarantinedFile(
  db: Database,
  file: QuarantinedFile,
  changes: { scanDueAt: string | null; scanFailure?: string | null },
): Statement {
  return db.update(submissions).set(changes).where(stillClaimed(file));
}

const quarantined = and(isNotNull(submissions.scanDueAt), isNull(submissions.deletedAt));

/** Every quarantined file with its envelope, oldest first. */
export const listQuarantinedFiles = (db: Database, limit: number) =>
  db
    .select({
      id: submissions.id,
      envelopeId: submissions.envelopeId,
      owner: users.email,
      ...pick(submissions, "documentName", "fileName", "fileSize", "createdAt"),
      failure: submissions.scanFailure,
    })
    .from(submissions)
    .innerJoin(envelopes, eq(envelopes.id, submissions.envelopeId))
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(quarantined)
    .orderBy(asc(submissions.createdAt), asc(submissions.id))
    .limit(limit);

/** A quarantined file, for an operator who may see every account's; undefined if it is not quarantined. */
export const findQuarantinedFile = (db: Database, submissionId: number) =>
  db
    .select({ userId: envelopes.userId, fileName: submissions.fileName, envelopeId: submissions.envelopeId })
    .from(submissions)
    .innerJoin(envelopes, eq(envelopes.id, submissions.envelopeId))
    .where(and(eq(submissions.id, submissionId), quarantined))
    .get();

/** The statement that releases a file without a scan. */
export function releaseQuarantinedFile(db: Database, submissionId: number): Statement {
  return db
    .update(submissions)
    .set({ scanDueAt: null, scanFailure: null })
    .where(and(eq(submissions.id, submissionId), quarantined));
}

/** Statements that delete an infected file, record the event and queue the notice to the requestor. */
export function deleteInfectedFile(
  db: Database,
  file: QuarantinedFile,
  virus: string,
  now: string,
): Statement[] {
  const envelope = valuesOf(submissions.envelopeId, stillClaimed(file));
  const where = inArray(envelopes.id, envelope);
  const removed = db
    .select(deletionColumns(submissions.filePath, now))
    .from(submissions)
    .where(stillClaimed(file));
  return [
    insertEventsWhere(db, where, {
      kind: "infected",
      actor: "service",
      address: null,
      detail: file.documentName,
      at: now,
    }),
    insertFromEnvelopes(db, {
      kind: "infected",
      payload: { document: file.documentName },
      dedupeKey: sql`${`infected:${file.id}`}`,
      where,
      now,
    }),
    db.insert(fileDeletions).select(removed).onConflictDoNothing(),
    db
      .update(submissions)
      .set({ virus, deletedAt: now, scanDueAt: null, scanFailure: null })
      .where(stillClaimed(file)),
    updateFileBytes(db, inArray(envelopes.id, valuesOf(submissions.envelopeId, eq(submissions.id, file.id)))),
  ];
}
