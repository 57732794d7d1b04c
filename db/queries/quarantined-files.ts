import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopes, fileDeletions, submissions, users } from "../schema";
import { insertEventsWhere } from "./envelope-events";
import { insertFromEnvelopes } from "./schedule";

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
      id: submissions.id,
      filePath: submissions.filePath,
      documentName: submissions.documentName,
      createdAt: submissions.createdAt,
    });
  return file && { ...file, scanDueAt: dueAgainAt };
}

/** Sets when a quarantined file is scanned next; null releases it. */
export function updateQuarantinedFile(
  db: Database,
  file: QuarantinedFile,
  scanDueAt: string | null,
): Statement {
  return db.update(submissions).set({ scanDueAt }).where(stillClaimed(file));
}

/** Statements that delete an infected file, record the event and queue the notice to the requestor. */
export function deleteInfectedFile(
  db: Database,
  file: QuarantinedFile,
  virus: string,
  now: string,
): Statement[] {
  const envelope = db.select({ id: submissions.envelopeId }).from(submissions).where(stillClaimed(file));
  const where = inArray(envelopes.id, envelope);
  const removed = db
    .select({
      key: submissions.filePath,
      removedAt: sql`${now}`.as("removed_at"),
      storeState: sql`null`.as("store_state"),
    })
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
      channel: "email",
      recipient: users.email,
      payload: sql`json_object('document', ${file.documentName})`,
      dedupeKey: sql`${`infected:${file.id}`}`,
      where,
      now,
    }),
    db.insert(fileDeletions).select(removed).onConflictDoNothing(),
    db.update(submissions).set({ virus, deletedAt: now, scanDueAt: null }).where(stillClaimed(file)),
  ];
}
