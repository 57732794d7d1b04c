import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Quotas } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { envelopeDocuments, envelopes, submissions, templateUses, users } from "../schema";
import { requestedDocuments } from "./envelopes";
import { insertRows } from "./insert-rows";
import { asColumn, jsonRow } from "./json-row";
import { prepared } from "./prepared";
import { withinQuotas } from "./quotas";
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
      isVerified: users.isVerified,
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

export function insertSubmissions(
  db: Database,
  submissionToken: string,
  files: NewSubmission[],
): Statement[] {
  const envelopeId = pendingEnvelopeId(submissionToken);
  const rows = files.map((file) => ({ ...file, envelopeId }));
  return insertRows(db, submissions, rows);
}

/**
 * Statements that complete the envelope. Where it no longer asks for these documents, or its files are more than the
 * quotas allow, its status becomes NULL, which no row may have: the statement fails, and with it the batch.
 */
export function completeEnvelope(
  db: Database,
  { id, documents }: Pick<RecipientEnvelope, "id" | "documents">,
  { completedAt, quotas }: { completedAt: string; quotas: Quotas },
): Statement[] {
  const unchanged = and(asksFor(documents), withinQuotas(quotas, 0));
  return [
    db
      .update(envelopes)
      .set({
        status: sql`case when ${unchanged} then 'completed' end`,
        completedAt,
        updatedAt: completedAt,
        nextReminderAt: null,
      })
      .where(and(eq(envelopes.id, id), eq(envelopes.status, "pending"))),
    db.update(templateUses).set({ status: "completed" }).where(eq(templateUses.envelopeId, id)),
  ];
}

/** Whether the row's envelope asks for exactly these documents, whatever their order. */
function asksFor(documents: RecipientEnvelope["documents"]): SQL {
  const { id, envelopeId, name, description, required, multiple, allowedFileTypes } = envelopeDocuments;
  const given = sql`select 1 from json_each(${JSON.stringify(documents)}) where
    value ->> '$.id' = ${id} and value ->> '$.name' = ${name} and value ->> '$.description' is ${description}
    and value ->> '$.required' = ${required} and value ->> '$.multiple' = ${multiple}
    and value -> '$.allowedFileTypes' = json(${allowedFileTypes})`;
  const asked = sql`from ${envelopeDocuments} where ${envelopeId} = ${envelopes.id}`;
  return sql`(select count(*) ${asked}) = ${documents.length} and not exists (select 1 ${asked} and not exists (${given}))`;
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
