import { and, eq, isNotNull, isNull, not, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { STORED_FIELDS } from "../../worker/contract/documents";
import type { SubmittedList } from "../../worker/contract/error-body";
import type { Language } from "../../worker/contract/options";
import type { Quotas } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { isReferenceGone, violates } from "../errors";
import {
  envelopeDocuments,
  envelopes,
  notifications,
  submissions,
  templateUses,
  uploads,
  users,
  workspaces,
} from "../schema";
import { brandRow } from "./brands";
import { laterThan } from "./changed-meanwhile";
import { envelopeParts } from "./envelope-parts";
import { currentAnswers, documentsOfLink, hasDestinations, plainFiles } from "./envelopes";
import { onlyWhile } from "./guard";
import { asColumn, jsonRow, scalar } from "./json-row";
import { updateFileBytes, updateToReview } from "./list-columns";
import { hasEnabledOwner, isMember, isOpenWorkspace, type Member } from "./members";
import { insertRows, listed, pick, prepared, type TakeTurn } from "./query-helpers";
import { withinQuotas } from "./quotas";
import { hasContent, NO_DELETION_NOTICE } from "./retention";
import { stagedFiles, type Upload } from "./uploads";

export type NewSubmission = Pick<
  typeof submissions.$inferInsert,
  | "envelopeDocumentId"
  | "documentName"
  | "filePath"
  | "fileName"
  | "fileSize"
  | "mimeType"
  | "sha256"
  | "scanDueAt"
>;

const parts = envelopeParts({
  uploads: stagedFiles,
  submissions: {
    ...plainFiles,
    fields: {
      id: submissions.id,
      requestDocumentId: submissions.envelopeDocumentId,
      superseded: submissions.superseded,
      createdAt: submissions.createdAt,
    },
    // What newer ones have replaced may be many times as much.
    where: not(submissions.superseded),
    bytes: sql`100 * count(*)`,
  },
  answers: currentAnswers,
});

const recipientEnvelope = asColumn(
  jsonRow({
    ...pick(envelopes, "id", "userId", "submissionToken", "customerEmail", "recipientName"),
    ...pick(envelopes, "title", "subject"),
    ...pick(envelopes, "description", "status", "language", "expirationDate", "expiresAt", "dueDate"),
    ...pick(envelopes, "completedAt", "recipientSince"),
    timeZone: envelopes.timeZone,
    prefill: envelopes.prefill,
    user: jsonRow({
      ...pick(users, "firstName", "lastName", "companyName", "email", "avatarUrl", "avatarMimeType"),
      ...pick(users, "avatarSize", "isVerified", "timeZone"),
      // The links of a workspace go on while one of its owners is enabled.
      disabledAt: scalar<string>(
        sql`iif(${users.disabledAt} is null or ${hasEnabledOwner(envelopes.workspaceId)}, null, ${users.disabledAt})`,
      ),
    }),
    brand: brandRow,
    // Of the last reminder with one, until documents are returned.
    reminderNote: scalar<string>(
      sql`(select ${notifications.payload} ->> '$.note' from ${notifications} where ${notifications.envelopeId} = ${envelopes.id} and (${notifications.kind} = 'returned' or ${notifications.payload} ->> '$.note' is not null) and ${notifications.createdAt} > ifnull(${envelopes.recipientSince}, '') order by ${notifications.id} desc limit 1)`,
    ),
    documents: documentsOfLink,
    parts: parts.json,
    hasDestinations,
  }),
);

const recipientQuery = prepared((db) =>
  db
    .select({ envelope: recipientEnvelope })
    .from(envelopes)
    .innerJoin(users, eq(users.id, envelopes.userId))
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(
      and(eq(envelopes.submissionToken, sql.placeholder("submissionToken")), isNull(workspaces.deletedAt)),
    )
    .limit(1)
    .prepare(),
);

/** The envelope of a recipient's link. The token itself is the scope, because a recipient has no account. */
export async function findEnvelopeForRecipient(db: Database, submissionToken: string, takeTurn?: TakeTurn) {
  const rows = await recipientQuery(db).all({ submissionToken });
  const [envelope] = await parts.complete(
    db,
    rows.map(({ envelope }) => envelope),
    takeTurn,
  );
  return envelope;
}

/** The language of the envelope behind the link; undefined if it has none, or for a draft. */
export async function findLinkLanguage(db: Database, submissionToken: string): Promise<Language | undefined> {
  const [row] = await db
    .select({ language: envelopes.language })
    .from(envelopes)
    .where(
      and(
        eq(envelopes.submissionToken, submissionToken),
        notInArray(envelopes.status, ["draft", "scheduled"]),
      ),
    );
  return row?.language ?? undefined;
}

export type RecipientEnvelope = NonNullable<Awaited<ReturnType<typeof findEnvelopeForRecipient>>>;

/**
 * When a completed envelope was submitted, and the names and sizes of its recipient's files, without those replaced since.
 */
export async function findSubmittedList(db: Database, submissionToken: string): Promise<SubmittedList> {
  const { documentName, fileName, fileSize } = submissions;
  const rows = await db
    .select({ submittedAt: envelopes.completedAt, file: { documentName, fileName, fileSize } })
    .from(envelopes)
    .leftJoin(
      submissions,
      and(
        eq(submissions.envelopeId, envelopes.id),
        eq(submissions.superseded, false),
        sql`${submissions.createdAt} > ifnull(${envelopes.recipientSince}, '')`,
      ),
    )
    .where(eq(envelopes.submissionToken, submissionToken))
    .orderBy(submissions.envelopeDocumentId, submissions.id);
  return { submittedAt: rows[0]?.submittedAt ?? "", files: rows.flatMap(({ file }) => file ?? []) };
}

/** How many files and answers were submitted for an envelope, and the bytes of the answers, with what was replaced since. */
export const findSubmittedSize = (db: Database, envelopeId: number) =>
  db.get<{ files: number; answers: number; answerBytes: number }>(
    sql`select (select count(*) from submissions as sent where sent.envelope_id = ${envelopeId}) as files,
      count(*) as answers, coalesce(sum(octet_length(given.value)), 0) as answerBytes from answers as given where given.envelope_id = ${envelopeId} and given.submitted_at is not null`,
  );

/**
 * The id of the envelope while it is pending, otherwise NULL. Rows that require an envelope then violate NOT NULL. Of
 * two concurrent submissions the batch of one therefore fails as a whole.
 */
export const pendingEnvelopeId = (submissionToken: string) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken} and ${envelopes.status} = 'pending' and ${isOpenWorkspace(envelopes.workspaceId)})`;

/** `kind:id:at` of the envelope while it is pending, otherwise NULL. `at` distinguishes repeated submissions. */
export const pendingEnvelopeKey = (kind: string, submissionToken: string, at: string) =>
  sql<string>`${`${kind}:`} || ${pendingEnvelopeId(submissionToken)} || ${`:${at}`}`;

/** The statements that record files, and those of finished uploads: one for all, as others wait for those of two thousand. */
export function insertSubmissions(
  db: Database,
  submissionToken: string,
  {
    sent,
    staged,
    createdAt,
  }: { sent: NewSubmission[]; staged: readonly Pick<Upload, "rowId">[]; createdAt: string },
): Statement[] {
  const envelopeId = pendingEnvelopeId(submissionToken);
  const name = sql`(select ${envelopeDocuments.name} from ${envelopeDocuments} where ${envelopeDocuments.id} = ${uploads.envelopeDocumentId})`;
  const ids = listed(staged.map(({ rowId }) => rowId));
  return [
    ...insertRows(
      db,
      submissions,
      sent.map((file) => ({ ...file, envelopeId, createdAt })),
    ),
    // All columns in table order. Of an upload that was deleted meanwhile, or is unfinished, the path is NULL, which it must not be.
    db.insert(submissions).select(
      sql`select null, ${envelopeId}, ${uploads.envelopeDocumentId}, ifnull(${name}, ''), ${uploads.filePath}, ${uploads.fileName}, ${uploads.fileSize}, ifnull(${uploads.mimeType}, 'application/octet-stream'), ${uploads.sha256}, ${createdAt}, null, iif(${uploads.scanDueAt} is null, null, ${createdAt}), null, null, 0, null
        from ${ids} left join ${uploads} on ${uploads.rowId} = value and ${uploads.completedAt} is not null`,
    ),
    updateFileBytes(db, eq(envelopes.submissionToken, submissionToken)),
  ];
}

/**
 * Statements that complete the envelope. If it no longer requests these documents, has an upload that should have been
 * submitted too, or exceeds the quotas, its status becomes NULL, which violates NOT NULL: the statement fails, and with
 * it the batch.
 * @param quotas null for a submission that brings no new files
 * @param left which unsubmitted uploads make the statement fail
 */
export function completeEnvelope(
  db: Database,
  { id, documents }: Pick<RecipientEnvelope, "id" | "documents">,
  completion: { completedAt: string; note: string | null; quotas: Quotas | null; left: "finished" | "any" },
): Statement[] {
  const { completedAt, note, quotas, left } = completion;
  const others = and(
    eq(uploads.envelopeId, envelopes.id),
    left === "finished" ? isNotNull(uploads.completedAt) : undefined,
  );
  const unchanged = and(
    requestsExactly(documents),
    quotas ? withinQuotas(quotas, 0, completedAt) : undefined,
    sql`not exists (select 1 from ${uploads} where ${others})`,
  );
  return [
    db
      .update(envelopes)
      .set({
        status: onlyWhile<"completed">(unchanged, "completed"),
        completedAt,
        isNew: true,
        note: sql`coalesce(${note}, ${envelopes.note})`,
        updatedAt: laterThan(envelopes.updatedAt, completedAt),
        updatedBy: null,
        nextReminderAt: null,
        // The retention of new files begins now, and they have not been announced. Without any, all stay deleted.
        filesDeletedAt: sql`iif(${hasContent}, null, ${envelopes.filesDeletedAt})`,
        ...NO_DELETION_NOTICE,
      })
      .where(and(eq(envelopes.id, id), eq(envelopes.status, "pending"))),
    ...(documents.some(({ review }) => review === "returned") ? [receiveAgain(db, id)] : []),
    updateToReview(db, eq(envelopes.id, id)),
    db.update(templateUses).set({ status: "completed" }).where(eq(templateUses.envelopeId, id)),
  ];
}

/** The statement by which a returned document that was left out is received again with its earlier file. */
const receiveAgain = (db: Database, envelopeId: number) =>
  db
    .update(envelopeDocuments)
    .set({ review: null })
    .where(and(eq(envelopeDocuments.envelopeId, envelopeId), eq(envelopeDocuments.review, "returned")));

/** Whether a submission was rejected because a file was deleted or the envelope changed. */
export const isSubmissionRejected = (error: unknown): boolean =>
  [submissions.filePath, envelopes.status].some((column) => violates(error, "not null", column)) ||
  isReferenceGone(error);

/** The statement that marks the earlier files of the answered and skipped documents as superseded. */
export function supersedeFiles(
  db: Database,
  submissionToken: string,
  answered: readonly number[],
): Statement {
  const pending = pendingEnvelopeId(submissionToken);
  return db
    .update(submissions)
    .set({ superseded: true })
    .where(
      and(
        eq(submissions.envelopeId, pending),
        not(submissions.superseded),
        isOneOf(submissions.envelopeDocumentId, answered),
      ),
    );
}

const isOneOf = (column: SQLiteColumn, ids: readonly number[]) => sql`${column} in ${listed(ids)}`;

/** Until when a document is valid, and what follows from it. */
export type Validity = {
  documentId: number;
  validUntil: string;
  renewOn: string | null;
  checkAt: string | null;
};

/** The columns of the updated document; NULL if none of these is its own. */
function validityFrom(submissionToken: string, days: readonly Validity[]) {
  const of = (expression: SQL) =>
    sql`(select ${expression} from json_each(${JSON.stringify(days)}) where value ->> '$.documentId' = ${envelopeDocuments.id})`;
  return {
    validUntil: of(sql`value ->> '$.validUntil'`),
    renewOn: of(sql`value ->> '$.renewOn'`),
    checkAt: of(sql`value ->> '$.checkAt'`),
    workspaceId: of(
      sql`(select ${envelopes.workspaceId} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken})`,
    ),
    renewalPaused: null,
  };
}

/**
 * The statement that stores which documents the recipient skipped, and why. Documents that are neither skipped nor
 * answered do not change.
 */
export function updateSkippedDocuments(
  db: Database,
  submissionToken: string,
  {
    skipped,
    answered,
    days,
  }: {
    skipped: readonly { documentId: number; reason: string | null }[];
    answered: readonly number[];
    /** Absent if none of the documents has such a day. */
    days?: readonly Validity[] | undefined;
  },
): Statement {
  const ids = skipped.map(({ documentId }) => documentId);
  // Once for all of them: there may be a hundred with long reasons.
  const reasons = sql`(with given as materialized (select value ->> '$.documentId' as id, value ->> '$.reason' as reason from json_each(${JSON.stringify(skipped)})) select reason from given where given.id = ${envelopeDocuments.id})`;
  return db
    .update(envelopeDocuments)
    .set({
      skipped: isOneOf(envelopeDocuments.id, ids),
      skipReason: reasons,
      ...(days && validityFrom(submissionToken, days)),
    })
    .where(
      and(
        eq(envelopeDocuments.envelopeId, pendingEnvelopeId(submissionToken)),
        isOneOf(envelopeDocuments.id, [...ids, ...answered]),
      ),
    );
}

/** What decides which files a recipient submits. Whether a received document is accepted meanwhile does not. */
const COMPARED = [
  ...STORED_FIELDS.map((field) => {
    const column = envelopeDocuments[field];
    const path = sql.raw(`'$.${field}'`);
    return column.dataType === "json"
      ? sql`value -> ${path} = coalesce(json(${column}), 'null')`
      : sql`value ->> ${path} is ${column}`;
  }),
  sql`(value ->> '$.review' is ${envelopeDocuments.review}
    or not ${envelopeDocuments.skipped} and (value ->> '$.review' is 'returned') = (${envelopeDocuments.review} is 'returned'))`,
];

/** Whether the row's envelope requests exactly these documents, in any order. */
export function requestsExactly(documents: RecipientEnvelope["documents"]): SQL {
  const requested = sql`from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}`;
  // Once for all of them: there may be a hundred with a megabyte of texts.
  const given = sql`given as materialized (select value ->> '$.id' as id, value from json_each(${JSON.stringify(documents)}))`;
  const same = sql`select 1 from given where given.id = ${envelopeDocuments.id} and ${and(...COMPARED)}`;
  return sql`(select count(*) ${requested}) = ${documents.length} and not exists (with ${given} select 1 ${requested} and not exists (${same}))`;
}

export const findSubmittedFile = (db: Database, member: Member, filePath: string) =>
  db
    .select({
      ...pick(
        submissions,
        "documentName",
        "fileName",
        "fileSize",
        "mimeType",
        "envelopeId",
        "scanDueAt",
        "openedAt",
      ),
    })
    .from(submissions)
    .innerJoin(envelopes, eq(envelopes.id, submissions.envelopeId))
    .where(
      and(
        eq(submissions.filePath, filePath),
        isNull(submissions.deletedAt),
        isMember(envelopes.workspaceId, member),
      ),
    )
    .get();

/** The statement that records when a file was first opened, unless it was before. */
export const updateOpened = (db: Database, filePath: string, openedAt: string): Statement =>
  db
    .update(submissions)
    .set({ openedAt })
    .where(and(eq(submissions.filePath, filePath), isNull(submissions.openedAt)));
