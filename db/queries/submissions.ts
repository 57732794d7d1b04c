import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates, violatesForeignKey } from "../errors";
import { envelopeEvents, envelopes, notifications, submissions, templateUses, users } from "../schema";
import { requestedDocuments } from "./envelopes";
import { insertRows } from "./insert-rows";
import { asColumn, jsonRow } from "./json-row";
import { prepared } from "./prepared";
import { stagedFiles } from "./uploads";

export type NewSubmission = Omit<typeof submissions.$inferInsert, "id" | "envelopeId">;

const recipientEnvelope = asColumn(
  jsonRow({
    id: envelopes.id,
    userId: envelopes.userId,
    customerEmail: envelopes.customerEmail,
    title: envelopes.title,
    description: envelopes.description,
    status: envelopes.status,
    expirationDate: envelopes.expirationDate,
    user: jsonRow({
      firstName: users.firstName,
      lastName: users.lastName,
      companyName: users.companyName,
      email: users.email,
    }),
    documents: requestedDocuments,
    uploads: stagedFiles,
  }),
);

const recipientQuery = prepared((db) =>
  db
    .select({ envelope: recipientEnvelope })
    .from(envelopes)
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(eq(envelopes.submissionToken, sql.placeholder("submissionToken")))
    .prepare(),
);

/** The envelope of a recipient's link. The token is the scope: the recipient has nothing else. */
export async function findEnvelopeForRecipient(db: Database, submissionToken: string) {
  const [row] = await recipientQuery(db).all({ submissionToken });
  return row?.envelope;
}

export type RecipientEnvelope = NonNullable<Awaited<ReturnType<typeof findEnvelopeForRecipient>>>;

/**
 * The id of the envelope while it is pending, otherwise NULL. Rows that require an envelope then violate NOT NULL. Of
 * two concurrent submissions the batch of one therefore fails as a whole.
 */
export const pendingEnvelopeId = (submissionToken: string) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken} and ${envelopes.status} = 'pending')`;

/** `kind:id` of the envelope while it is pending, otherwise NULL. */
export const pendingEnvelopeKey = (kind: string, submissionToken: string) =>
  sql<string>`${`${kind}:`} || ${pendingEnvelopeId(submissionToken)}`;

/** Whether a batch failed because the envelope of `pendingEnvelopeId` or `pendingEnvelopeKey` is not pending. */
export const isNoLongerPending = (error: unknown) =>
  [notifications.dedupeKey, submissions.envelopeId, envelopeEvents.envelopeId].some((column) =>
    violates(error, "not null", column),
  );

/** Whether a batch failed because the envelope no longer contains one of the documents. */
export const isDocumentGone = violatesForeignKey;

export function insertSubmissions(
  db: Database,
  submissionToken: string,
  files: NewSubmission[],
): Statement[] {
  const envelopeId = pendingEnvelopeId(submissionToken);
  const rows = files.map((file) => ({ ...file, envelopeId }));
  return insertRows(db, submissions, rows);
}

export function completeEnvelope(db: Database, envelopeId: number, completedAt: string): Statement[] {
  return [
    db
      .update(envelopes)
      .set({ status: "completed", completedAt, updatedAt: completedAt, nextReminderAt: null })
      .where(and(eq(envelopes.id, envelopeId), eq(envelopes.status, "pending"))),
    db.update(templateUses).set({ status: "completed" }).where(eq(templateUses.envelopeId, envelopeId)),
  ];
}

/** The caller's submitted file with this key. */
export async function findSubmittedFile(db: Database, userId: number, filePath: string) {
  const [row] = await db
    .select({
      documentName: submissions.documentName,
      fileName: submissions.fileName,
      fileSize: submissions.fileSize,
      mimeType: submissions.mimeType,
      envelopeId: submissions.envelopeId,
      scanDueAt: submissions.scanDueAt,
    })
    .from(submissions)
    .innerJoin(envelopes, eq(envelopes.id, submissions.envelopeId))
    .where(
      and(eq(submissions.filePath, filePath), isNull(submissions.deletedAt), eq(envelopes.userId, userId)),
    );
  return row;
}
