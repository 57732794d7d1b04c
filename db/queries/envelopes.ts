import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  END_OF_LINK,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  submissions,
  uploads,
  workspaces,
} from "../schema";
import { ownerBelowLimit } from "./account-limits";
import { ownContact } from "./contacts";
import { insertSubmissionDeletions } from "./file-deletions";
import { asColumn, type Json, jsonRow, jsonRows, jsonRowUnlessNull, scalar } from "./json-row";
import { scopedList } from "./paging";
import { prepared } from "./prepared";
import { ownTemplate } from "./templates";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { ownWorkspace } from "./workspaces";

export type NewEnvelope = Omit<typeof envelopes.$inferInsert, "id">;
export type EnvelopeChanges = Partial<Omit<NewEnvelope, "userId" | "submissionToken">>;

const { envelopeId: _, ...documentColumns } = getTableColumns(envelopeDocuments);

/** The requested documents of the row's envelope, in order, with all their columns. */
export const requestedDocuments = jsonRows(
  documentColumns,
  sql`${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}`,
  ({ position }) => position,
);

/** The submitted files of the row's envelope. */
export const storedFiles = jsonRows(
  {
    id: submissions.id,
    requestDocumentId: submissions.requestDocumentId,
    documentName: submissions.documentName,
    filePath: submissions.filePath,
    fileName: submissions.fileName,
    fileSize: submissions.fileSize,
    mimeType: submissions.mimeType,
    sha256: submissions.sha256,
    createdAt: submissions.createdAt,
    deletedAt: submissions.deletedAt,
    scanDueAt: submissions.scanDueAt,
    virus: submissions.virus,
    superseded: submissions.superseded,
  },
  sql`${submissions} where ${submissions.envelopeId} = ${envelopes.id}`,
  ({ id }) => id,
);

const envelopeRow = jsonRow({
  ...getTableColumns(envelopes),
  contact: jsonRowUnlessNull(contacts.id, { firstName: contacts.firstName, lastName: contacts.lastName }),
  documents: requestedDocuments,
  submissions: storedFiles,
  retentionDays: scalar<number>(
    sql`(select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId})`,
  ),
  uploadedDocuments: scalar<number>(
    sql`(select count(distinct ${uploads.requestDocumentId}) from ${uploads} where ${uploads.envelopeId} = ${envelopes.id} and ${uploads.completedAt} is not null)`,
  ),
});
const fullEnvelope = asColumn(envelopeRow);

export type FullEnvelope = (typeof fullEnvelope)["_"]["type"];

/** Envelopes with contact, documents and files, in one query for any number of envelopes. */
const selectEnvelopes = (db: Database) =>
  db
    .select({ envelope: fullEnvelope })
    .from(envelopes)
    .leftJoin(contacts, eq(contacts.id, envelopes.contactId));

// Not `expiresAt`: SQLite would read each row for a generated column, although the index contains the columns it is
// computed from.
const isLapsed = sql`(${envelopes.status} = 'pending' and ${END_OF_LINK} < ${sql.placeholder("now")})`;
const hasStoredFiles = sql`(${envelopes.status} = 'completed' and ${envelopes.filesDeletedAt} is null)`;
const hasUnreviewed = sql`exists (select 1 from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}
  and ${envelopeDocuments.review} is null and not ${envelopeDocuments.skipped} and exists (
    select 1 from ${submissions} where ${submissions.requestDocumentId} = ${envelopeDocuments.id} and not ${submissions.superseded}))`;

/** The number of envelopes by state; those to review also count as completed. */
const envelopeCounts = jsonRow({
  all: count(sql`1`),
  waiting: count(sql`${envelopes.status} = 'pending' and not ifnull(${isLapsed}, 0)`),
  toReview: count(sql`${hasStoredFiles} and ${hasUnreviewed}`),
  completed: count(sql`${envelopes.status} = 'completed'`),
  expired: count(sql`${envelopes.status} = 'expired' or ifnull(${isLapsed}, 0)`),
  drafts: count(sql`${envelopes.status} = 'draft'`),
});

function count(where: SQL): Json<number> {
  return { sql: sql`ifnull(sum(${where}), 0)`, read: Number };
}

/** A page of the caller's envelopes; `summarize` asks for the counts of all of them. */
export const listEnvelopes = scopedList(envelopes, envelopeRow, {
  joins: sql`left join ${contacts} on ${contacts.id} = ${envelopes.contactId}`,
  summary: envelopeCounts,
});

export async function findEnvelope(
  db: Database,
  userId: number,
  id: number,
): Promise<FullEnvelope | undefined> {
  const [row] = await selectEnvelopes(db).where(own(userId, id));
  return row?.envelope;
}

const envelopeByToken = prepared((db) =>
  selectEnvelopes(db)
    .where(
      and(
        eq(envelopes.userId, sql.placeholder("userId")),
        eq(envelopes.submissionToken, sql.placeholder("submissionToken")),
      ),
    )
    .prepare(),
);

export async function findEnvelopeByToken(
  db: Database,
  userId: number,
  submissionToken: string,
): Promise<FullEnvelope | undefined> {
  const [row] = await envelopeByToken(db).all({ userId, submissionToken });
  return row?.envelope;
}

/** Selects the id of the envelope with this token, for the batch that creates it. */
export const envelopeIdByToken = (submissionToken: string) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken})`;

/** An envelope's id, or the subquery that finds it in the batch that creates it. */
export type EnvelopeId = number | ReturnType<typeof envelopeIdByToken>;

type Links = { workspaceId: number; contactId: number | null; templateId: number | null };

/** Inserts an envelope. References to a contact or template that was deleted meanwhile become NULL. */
export function insertEnvelope(db: Database, request: Omit<NewEnvelope, keyof Links> & Links): Statement {
  const userId = ownerBelowLimit(envelopes, request.userId, LIMITS.envelopesPerAccount);
  return db.insert(envelopes).values({ ...request, ...ownLinks(request.userId, request), userId });
}

/** The envelope's references that still exist and belong to its owner. */
function ownLinks(userId: number, { workspaceId, contactId, templateId }: Links) {
  return {
    workspaceId: ownWorkspace(userId, workspaceId),
    contactId: ownContact(userId, contactId),
    templateId: ownTemplate(userId, templateId),
  };
}

/** The id of the caller's envelope, or NULL if it no longer exists. */
export const ownEnvelopeId = (userId: number, id: number) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${own(userId, id)})`;

/** Whether a batch failed because the envelope of `ownEnvelopeId` no longer exists. */
export const isEnvelopeMissing = (error: unknown) => violates(error, "not null", envelopeEvents.envelopeId);

/** Whether an envelope was not updated because it has changed since it was read. */
export const isEnvelopeChanged = (error: unknown) => violates(error, "not null", envelopes.userId);

/**
 * Updates the caller's envelope if it is unchanged since it was read. Otherwise sets its owner to NULL, which violates
 * NOT NULL and fails the whole batch.
 */
export function updateEnvelope(
  db: Database,
  userId: number,
  read: Pick<FullEnvelope, "id" | "status" | "updatedAt">,
  changes: Omit<EnvelopeChanges, keyof Links> & Links,
): Statement {
  const unchanged = and(eq(envelopes.status, read.status), eq(envelopes.updatedAt, read.updatedAt));
  return db
    .update(envelopes)
    .set({
      ...changes,
      ...ownLinks(userId, changes),
      userId: sql`case when ${unchanged} then ${userId} end`,
    })
    .where(own(userId, read.id));
}

/**
 * Deletes the envelope and records its files for deletion.
 * @param deliveries statements that queue webhook deliveries about the deletion
 * @returns whether the envelope existed
 */
export async function deleteEnvelope(
  db: Database,
  userId: number,
  id: number,
  { now, deliveries = [] }: { now: string; deliveries?: Statement[] },
): Promise<boolean> {
  const [rows] = await db.batch([
    db.select({ id: envelopes.id }).from(envelopes).where(own(userId, id)),
    ...deliveries,
    insertSubmissionDeletions(db, own(userId, id), now),
    insertUploadDeletions(db, uploadsOf(db, own(userId, id)), now),
    db.delete(envelopes).where(own(userId, id)),
  ]);
  return rows.length > 0;
}

/**
 * Marks the submission of this time as opened by the caller; a later one stays new.
 * @returns whether the envelope exists
 */
export async function updateSeenEnvelope(
  db: Database,
  userId: number,
  id: number,
  completedAt: string,
): Promise<boolean> {
  const isNew = sql`${envelopes.isNew} and ${envelopes.completedAt} is not ${completedAt}`;
  const rows = await db
    .update(envelopes)
    .set({ isNew })
    .where(own(userId, id))
    .returning({ id: envelopes.id });
  return rows.length > 0;
}

const own = (userId: number, id: number) => and(eq(envelopes.userId, userId), eq(envelopes.id, id));
