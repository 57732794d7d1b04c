import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { documents, requests, submissions, users } from "../schema";
import { askedDocuments } from "./envelopes";
import { asColumn, jsonRow } from "./json-row";
import { prepared } from "./prepared";

export type NewSubmission = Omit<typeof submissions.$inferInsert, "id" | "envelopeId">;

const recipientRequest = asColumn(
  jsonRow({
    id: requests.id,
    userId: requests.userId,
    customerEmail: requests.customerEmail,
    title: requests.title,
    description: requests.description,
    status: requests.status,
    expirationDate: requests.expirationDate,
    user: jsonRow({
      firstName: users.firstName,
      lastName: users.lastName,
      companyName: users.companyName,
      email: users.email,
    }),
    documents: askedDocuments,
  }),
);

const recipientQuery = prepared((db) =>
  db
    .select({ request: recipientRequest })
    .from(requests)
    .innerJoin(users, eq(users.id, requests.userId))
    .where(eq(requests.submissionToken, sql.placeholder("submissionToken")))
    .prepare(),
);

/** What the recipient's link leads to: scoped by the token, which is all the recipient has. */
export async function findRequestForRecipient(db: Database, submissionToken: string) {
  const [row] = await recipientQuery(db).all({ submissionToken });
  return row?.request;
}

export type RecipientRequest = NonNullable<Awaited<ReturnType<typeof findRequestForRecipient>>>;

/**
 * The id of the envelope while it is pending, else NULL: rows that need an envelope then cannot be written,
 * so that of two submissions at once the whole batch of one fails.
 */
export const pendingRequest = (submissionToken: string) =>
  sql<number>`(select ${requests.id} from ${requests} where ${requests.submissionToken} = ${submissionToken} and ${requests.status} = 'pending')`;

/** `kind:id` of the envelope while it is pending, else NULL. */
export const pendingRequestKey = (kind: string, submissionToken: string) =>
  sql<string>`${`${kind}:`} || ${pendingRequest(submissionToken)}`;

/** D1 takes at most 100 values a statement, and a file has nine. */
const ROWS_PER_INSERT = 10;

export function insertSubmissions(
  db: Database,
  submissionToken: string,
  files: NewSubmission[],
): Statement[] {
  const envelopeId = pendingRequest(submissionToken);
  const statements: Statement[] = [];
  for (let start = 0; start < files.length; start += ROWS_PER_INSERT) {
    const rows = files.slice(start, start + ROWS_PER_INSERT).map((file) => ({ ...file, envelopeId }));
    statements.push(db.insert(submissions).values(rows));
  }
  return statements;
}

export function completeRequest(db: Database, requestId: number, completedAt: string): Statement[] {
  return [
    db
      .update(requests)
      .set({ status: "completed", completedAt, updatedAt: completedAt, nextReminderAt: null })
      .where(and(eq(requests.id, requestId), eq(requests.status, "pending"))),
    db.update(documents).set({ status: "completed" }).where(eq(documents.requestId, requestId)),
  ];
}

/** The caller's uploaded file with this name in the store. */
export async function findOwnFile(db: Database, userId: number, filePath: string) {
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
    .innerJoin(requests, eq(requests.id, submissions.envelopeId))
    .where(
      and(eq(submissions.filePath, filePath), isNull(submissions.deletedAt), eq(requests.userId, userId)),
    );
  return row;
}
