import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { documentKey } from "../../worker/contract/document-names";
import { type DocumentEntry, type DocumentReview, detailsOf } from "../../worker/contract/documents";
import type { Database, Statement } from "../client";
import { envelopeDocuments, envelopes, uploads } from "../schema";
import { type EnvelopeId, ownEnvelopeId } from "./envelopes";
import { updateFileBytes } from "./list-columns";
import type { Member } from "./members";
import { insertRows, listed } from "./query-helpers";
import { deleteUploads } from "./uploads";

type PositionedDocument = DocumentEntry & { position: number };

function columnsOf({
  name,
  description,
  required,
  allowedFileTypes,
  multiple,
  ...entry
}: PositionedDocument) {
  const { reasonAllowed, kind, position } = entry;
  const details = detailsOf({ name, description, required, allowedFileTypes, multiple, ...entry });
  return {
    ...{ name, nameKey: nameKeyOf(name), description, required, allowedFileTypes, multiple },
    ...{ reasonAllowed, kind, position, details },
  };
}

/** The value of `nameKey`. */
export const nameKeyOf = (name: string): string | null =>
  /^[\x20-\x7e]*$/.test(name) ? null : documentKey(name);

export function insertEnvelopeDocuments(
  db: Database,
  envelopeId: EnvelopeId,
  entries: PositionedDocument[],
): Statement[] {
  return insertRows(
    db,
    envelopeDocuments,
    entries.map((entry) => ({ ...columnsOf(entry), envelopeId })),
  );
}

export function updateEnvelopeDocument(
  db: Database,
  envelopeId: number,
  id: number,
  entry: PositionedDocument,
  more: Partial<typeof envelopeDocuments.$inferInsert> = {},
): Statement {
  return db
    .update(envelopeDocuments)
    .set({ ...columnsOf(entry), ...more })
    .where(and(eq(envelopeDocuments.envelopeId, envelopeId), eq(envelopeDocuments.id, id)));
}

/** Records a decision about a document of the caller's envelope. Without a reason, the stored one stays. */
export function reviewEnvelopeDocument(
  db: Database,
  member: Member,
  envelopeId: number,
  id: number,
  decision: { review: DocumentReview | null; reviewReason?: string | null },
): Statement {
  return db
    .update(envelopeDocuments)
    .set(decision)
    .where(
      and(eq(envelopeDocuments.envelopeId, ownEnvelopeId(member, envelopeId)), eq(envelopeDocuments.id, id)),
    );
}

/** The statement by which documents of the caller's envelope, which moves, stand in the list of its new workspace. */
export const moveEnvelopeDocuments = (
  db: Database,
  member: Member,
  envelopeId: number,
  workspaceId: number,
): Statement =>
  db
    .update(envelopeDocuments)
    .set({ workspaceId })
    .where(
      and(
        eq(envelopeDocuments.envelopeId, ownEnvelopeId(member, envelopeId)),
        sql`${envelopeDocuments.workspaceId} is not null`,
      ),
    );

/**
 * Deletes unsubmitted uploads for documents of the caller's envelope; without `ids`, for all of them. `ids` has at most
 * as many entries as an envelope has documents.
 */
export function deleteUnsubmittedUploads(
  db: Database,
  member: Member,
  envelopeId: number,
  { ids, now }: { ids: number[] | undefined; now: string },
): Statement[] {
  const ofDocuments = ids && inArray(uploads.envelopeDocumentId, listed(ids));
  return deleteUploads(db, and(eq(uploads.envelopeId, ownEnvelopeId(member, envelopeId)), ofDocuments), now);
}

/**
 * Deletes documents of an envelope with their uploads. `ids` has at most as many entries as an envelope has documents.
 */
export function deleteEnvelopeDocuments(
  db: Database,
  envelopeId: number,
  ids: number[],
  now: string,
): Statement[] {
  if (ids.length === 0) return [];
  return [
    ...deleteDocumentUploads(db, envelopeId, ids, now),
    db
      .delete(envelopeDocuments)
      .where(and(eq(envelopeDocuments.envelopeId, envelopeId), inArray(envelopeDocuments.id, listed(ids)))),
    // Answers that are kept for them go with them.
    updateFileBytes(db, eq(envelopes.id, envelopeId)),
  ];
}

/** Deletes the uploads for documents of an envelope, or those that were begun until a time. */
export const deleteDocumentUploads = (
  db: Database,
  envelopeId: number,
  ids: number[],
  now: string,
  until?: string,
): Statement[] =>
  deleteUploads(
    db,
    and(
      eq(uploads.envelopeId, envelopeId),
      inArray(uploads.envelopeDocumentId, listed(ids)),
      until === undefined ? undefined : lte(uploads.createdAt, until),
    ),
    now,
  );
