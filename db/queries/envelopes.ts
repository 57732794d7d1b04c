import { and, eq, getTableColumns, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { withDetails } from "../../worker/contract/documents";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import { type Answer, KINDS_WITH } from "../../worker/contract/questions";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  answers,
  contacts,
  destinations,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  notifications,
  renewals,
  submissions,
  templateUses,
  uploads,
  users,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { isBelowLimit } from "./account-guards";
import { releaseAttachments } from "./attachments";
import { laterThan } from "./changed-meanwhile";
import { ownContact } from "./contacts";
import { envelopeParts } from "./envelope-parts";
import { insertSubmissionDeletions } from "./file-deletions";
import { type Condition, onlyWhile } from "./guard";
import { assignMessages, deleteWaitingNotices } from "./handovers";
import { asColumn, type Json, jsonRow, jsonRows, jsonRowUnlessNull, mapped, scalar } from "./json-row";
import { envelopeColumns, envelopeTextColumns, toReview } from "./list-columns";
import { assigneeIn, isMember, type Member } from "./members";
import { bind, equals, hasRows, pick, prepared, type TakeTurn } from "./query-helpers";
import { lookAgain } from "./scheduled-envelopes";
import { ownTemplate } from "./templates";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { deleteResponses, tellsOf } from "./webhook-deliveries";
import { activityTarget, insertActivity } from "./workspace-activity";
import { ownWorkspace } from "./workspaces";

export type NewEnvelope = Omit<typeof envelopes.$inferInsert, "id">;
export type EnvelopeChanges = Partial<Omit<NewEnvelope, "userId" | "submissionToken">>;

const {
  envelopeId: _,
  workspaceId: _workspaceId,
  renewOn: _renewOn,
  checkAt: _checkAt,
  nameKey: _nameKey,
  ...documentColumns
} = getTableColumns(envelopeDocuments);

/** The envelope that asks again for the document before its present day. */
const renewal: Json<{ requestId: number; at: string } | null> = {
  sql: sql`iif(${envelopeDocuments.validUntil} is null, null, json((select json_array(${renewals.envelopeId}, ${renewals.createdAt}) from ${renewals} where ${renewals.documentId} = ${envelopeDocuments.id} and ${renewals.validUntil} = ${envelopeDocuments.validUntil} and ${renewals.envelopeId} is not null)))`,
  read(json) {
    const [requestId, at] = (json ?? []) as [number?, string?];
    return requestId === undefined || at === undefined ? null : { requestId, at };
  },
};

const ofEnvelope = sql`${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}`;

/** The requested documents of the row's envelope, in order, as their recipient is asked for them. */
export const documentsOfLink = mapped(
  jsonRows(documentColumns, ofEnvelope, ({ position }) => position),
  (rows) => rows.map(withDetails),
);

const renewedDocuments = { ...documentColumns, renewal };
/** The same with the envelopes that ask for them again. */
export const requestedDocuments = mapped(
  jsonRows(renewedDocuments, ofEnvelope, ({ position }) => position),
  (rows) => rows.map(withDetails),
);
/** The same, unless their texts are long: see `withDocuments`. */
const documentParts = envelopeParts({
  documents: { table: envelopeDocuments, key: "position", fields: renewedDocuments },
});

const answerFields = {
  requestDocumentId: answers.envelopeDocumentId,
  ...pick(answers, "id", "sealed", "value", "createdAt", "submittedAt", "superseded"),
};
/** In bytes: an answer without its value, and a file, of which names may be half. */
const BYTES = { answer: 200, file: 1000 };
const bytesOfAnswers = (value: SQL) =>
  sql`coalesce(sum(${sql.raw(String(BYTES.answer))} + ifnull(octet_length(${value}), 0)), 0)`;

/** The answers of an envelope, kept ones included. */
const storedAnswers = {
  ...{ table: answers, key: "id" as const, fields: answerFields },
  bytes: bytesOfAnswers(sql`${answers.value}`),
};

/** The same without those that newer ones have replaced. */
export const currentAnswers = { ...storedAnswers, where: not(answers.superseded) };

/** The kinds of which conditions name values. */
const NAMED = sql.raw([...KINDS_WITH.options, "yesNo"].map((kind) => `'${kind}'`).join());
/** Whether the row's answer is one that conditions name. */
export const isNamed = sql`(select ${envelopeDocuments.kind} from ${envelopeDocuments} where ${envelopeDocuments.id} = ${answers.envelopeDocumentId}) in (${NAMED})`;
const listedValue = sql`case when ${answers.value} is null then null when ${isNamed} then ${answers.value} when ${answers.submittedAt} is null then '""' end`;

/** Of lists, which show none: the value of a choice and, of others that are only kept, whether there is one. */
const listedAnswers = {
  ...storedAnswers,
  fields: {
    ...answerFields,
    value: {
      sql: sql`json(${listedValue})`,
      read: (value) => value as Answer | null,
    } satisfies Json<Answer | null>,
  },
  bytes: bytesOfAnswers(listedValue),
};

/** Whether the row's envelope belongs to a workspace with a destination. */
export const hasDestinations = scalar<number>(
  sql`exists (select 1 from ${destinations} where ${destinations.workspaceId} = ${envelopes.workspaceId})`,
);

const fileFields = {
  id: submissions.id,
  requestDocumentId: submissions.envelopeDocumentId,
  ...pick(submissions, "documentName", "filePath", "fileName", "fileSize", "mimeType", "sha256"),
  ...pick(submissions, "createdAt", "deletedAt", "scanDueAt", "scanFailure", "virus", "superseded"),
};

/** The files of an envelope without their deliveries: see `deliveriesOfFiles`. */
export const plainFiles = {
  ...{ table: submissions, key: "id" as const, fields: fileFields },
  // A count that reads the index alone.
  bytes: sql`${sql.raw(String(BYTES.file))} * count(*)`,
};

/** The files and answers that were submitted then. */
export const partsOfTime = (submittedAt: string) =>
  envelopeParts({
    submissions: { ...plainFiles, where: eq(submissions.createdAt, submittedAt) },
    answers: { ...storedAnswers, where: eq(answers.submittedAt, submittedAt) },
  });

const watched = sql`from ${envelopeWatchers} where ${envelopeWatchers.envelopeId} = ${envelopes.id}`;
/** Whether the watcher is still a member of the envelope's workspace. */
const isWatcher = sql`exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${envelopes.workspaceId} and me.user_id = ${envelopeWatchers.userId})`;

const retentionDays = scalar<number>(
  sql`iif(${envelopes.status} = 'completed', (select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId}), null)`,
);

const rowFields = {
  ...envelopeColumns,
  contact: jsonRowUnlessNull(contacts.id, { firstName: contacts.firstName, lastName: contacts.lastName }),
  requested: documentParts.json,
  retentionDays,
  hasDestinations,
  /** Who gets the notices of its submissions beside the assignee. */
  watchers: {
    // Few envelopes are watched, and the aggregate costs more than looking.
    sql: sql`iif(exists (select 1 ${watched}), json((select json_group_array(${envelopeWatchers.userId}) ${watched} and ${isWatcher})), json('[]'))`,
    read: (ids) => ids as number[],
  } satisfies Json<number[]>,
  /** The documents with a finished upload; none unless the envelope is pending. */
  uploadedDocuments: {
    sql: sql`iif(${envelopes.status} = 'pending', json((select json_group_array(distinct ${uploads.envelopeDocumentId}) from ${uploads} where ${uploads.envelopeId} = ${envelopes.id} and ${uploads.completedAt} is not null)), json('[]'))`,
    read: (ids) => ids as number[],
  } satisfies Json<number[]>,
  /** Null unless the envelope is pending. */
  remindedAt: scalar<string>(sql`iif(${envelopes.status} = 'pending', ${envelopes.remindedAt}, null)`),
};
export const fullParts = envelopeParts({ submissions: plainFiles, answers: storedAnswers });
const listedParts = envelopeParts({ submissions: plainFiles, answers: listedAnswers });
export const envelopeRow = jsonRow({ ...rowFields, parts: fullParts.json });
/** For lists that show no answers. */
export const listedEnvelopeRow = jsonRow({ ...rowFields, parts: listedParts.json });
const fullEnvelope = asColumn(envelopeRow);

type SelectedEnvelope = (typeof fullEnvelope)["_"]["type"];
export type FullEnvelope = Awaited<ReturnType<typeof completeEnvelopes>>[number];

/** The envelopes of rows that were read for the caller, with all of their documents, files and answers. */
export const completeEnvelopes = async (db: Database, rows: readonly SelectedEnvelope[], turn?: TakeTurn) =>
  withDocuments(db, await fullParts.complete(db, rows, turn), turn);
export const completeListed = async (db: Database, rows: readonly SelectedEnvelope[], turn?: TakeTurn) =>
  withDocuments(db, await listedParts.complete(db, rows, turn), turn);

async function withDocuments<Row extends { id: number } & Pick<SelectedEnvelope, "requested">>(
  db: Database,
  rows: readonly Row[],
  takeTurn: TakeTurn,
) {
  const completed = await documentParts.complete(
    db,
    rows.map(({ requested: parts, ...row }) => ({ ...row, parts })),
    takeTurn,
  );
  return completed.map(({ documents, ...row }) => ({ ...row, documents: documents.map(withDetails) }));
}

/** Envelopes of earlier versions may have contacts of other workspaces. */
export const isItsContact = sql`${contacts.id} = ${envelopes.contactId} and ${contacts.workspaceId} = ${envelopes.workspaceId}`;

/** Envelopes with contact, documents and files, in one query for any number of envelopes. */
const selectEnvelopes = (db: Database) =>
  db.select({ envelope: fullEnvelope }).from(envelopes).leftJoin(contacts, isItsContact);

export async function findEnvelope(
  db: Database,
  member: Member,
  id: number,
  takeTurn?: TakeTurn,
): Promise<FullEnvelope | undefined> {
  return completeEnvelope(db, await selectEnvelope(db, member, id), takeTurn);
}

/** The envelope that one of these queries has found. */
export async function completeEnvelope(
  db: Database,
  rows: { envelope: SelectedEnvelope }[],
  takeTurn?: TakeTurn,
): Promise<FullEnvelope | undefined> {
  const [envelope] = await completeEnvelopes(
    db,
    rows.map(({ envelope }) => envelope),
    takeTurn,
  );
  return envelope;
}

/** The query of `findEnvelope`, for the batch that changes the envelope. */
export const selectEnvelope = (db: Database, member: Member, id: number) =>
  selectEnvelopes(db).where(own(member, id));

const envelopeByToken = prepared((db) =>
  selectEnvelopes(db)
    .where(
      and(
        eq(envelopes.submissionToken, sql.placeholder("submissionToken")),
        sql`exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${envelopes.workspaceId} and me.user_id = ${sql.placeholder("userId")})`,
      ),
    )
    .prepare(),
);

/** The caller's envelope with this token, for the batch that creates it. */
export const selectEnvelopeByToken = (db: Database, member: Member, submissionToken: string) =>
  bind(envelopeByToken(db), { userId: member.userId, submissionToken });

/** The envelope of a delivery, while its webhook tells of the envelope's workspace. */
export async function findEnvelopeToDeliver(
  db: Database,
  { webhookId, envelopeId }: { webhookId: number; envelopeId: number },
  takeTurn?: TakeTurn,
): Promise<FullEnvelope | undefined> {
  const told = sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${webhookId} and ${tellsOf(envelopes.workspaceId)})`;
  return completeEnvelope(
    db,
    await selectEnvelopes(db).where(and(eq(envelopes.id, envelopeId), told)),
    takeTurn,
  );
}

/** Selects the id of the envelope with this token, for the batch that creates it. */
export const envelopeIdByToken = (submissionToken: string) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.submissionToken} = ${submissionToken})`;

/** An envelope's id, or the subquery that finds it in the batch that creates it. */
export type EnvelopeId = number | ReturnType<typeof envelopeIdByToken>;

/** Whom an envelope is assigned to; undefined keeps the assignee. */
type Assigned = { assigneeId?: number | undefined };
type Links = { workspaceId: number; contactId: number | null; templateId: number | null };

/** Inserts an envelope of the caller or, if it is assigned to somebody else, of theirs. References to a contact or template that was deleted meanwhile become NULL. */
export function insertEnvelope(
  db: Database,
  member: Member,
  {
    assigneeId = member.userId,
    ...request
  }: Omit<NewEnvelope, "userId" | "createdBy" | keyof Links> & Links & Assigned,
): Statement {
  const assignee = assigneeId === member.userId ? assigneeId : assigneeIn(request.workspaceId, assigneeId);
  // Who creates it spends their own limit, not the assignee's.
  const isBelow = isBelowLimit(
    envelopes,
    member.userId,
    SERVER_LIMITS.envelopesPerAccount,
    envelopes.createdBy,
  );
  const userId = onlyWhile(isBelow, assignee);
  const by = { createdBy: member.userId, updatedBy: member.userId };
  const row = { ...request, ...envelopeTextColumns(request), ...ownLinks(member, request), userId, ...by };
  return db.insert(envelopes).values(row);
}

/** The envelope's references that still exist in its workspace and that the caller may use. */
function ownLinks(member: Member, { workspaceId, contactId, templateId }: Links) {
  return {
    workspaceId: ownWorkspace(member, workspaceId),
    contactId: ownContact(member, { workspaceId, contactId }),
    templateId: ownTemplate(member, { workspaceId, templateId }),
  };
}

/** The id of an envelope in a workspace in which the caller has the role, or NULL if there is none. */
export const ownEnvelopeId = (member: Member, id: number) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${own(member, id)})`;

/** The same as a query without a row if there is none. */
export const selectEnvelopeId = (db: Database, member: Member, id: number) =>
  db.select({ id: envelopes.id }).from(envelopes).where(own(member, id));

export const selectLink = (db: Database, member: Member, id: number) =>
  db.select({ submissionToken: envelopes.submissionToken }).from(envelopes).where(own(member, id));

/** Whether a batch failed because the envelope of `ownEnvelopeId` no longer exists. */
export const isEnvelopeMissing = (error: unknown) => violates(error, "not null", envelopeEvents.envelopeId);

/** Whether an envelope was not updated because it has changed since it was read. */
export const isEnvelopeChanged = (error: unknown) => violates(error, "not null", envelopes.userId);

/**
 * Updates the caller's envelope if it is unchanged since it was read, and its new assignee is a member or owner.
 * Otherwise sets its assignee to NULL, which violates NOT NULL and fails the whole batch.
 */
export function updateEnvelope(
  db: Database,
  member: Member,
  read: Read,
  {
    assigneeId,
    ...changes
  }: Omit<EnvelopeChanges, keyof Links> & Links & Assigned & { updatedAt: string; submissionToken?: string },
): Statement {
  const assignee =
    assigneeId === undefined ? sql<number>`${envelopes.userId}` : assigneeIn(changes.workspaceId, assigneeId);
  return db
    .update(envelopes)
    .set({
      ...changes,
      ...(changes.title !== undefined && envelopeTextColumns({ ...changes, title: changes.title })),
      // The statements before it in the batch have changed the documents.
      toReview,
      ...ownLinks(member, changes),
      updatedAt: laterThan(envelopes.updatedAt, changes.updatedAt),
      updatedBy: member.userId,
      userId: onlyWhile(isAsRead(read), assignee),
    })
    .where(own(member, read.id));
}

/** An envelope as it was read; `condition` must still hold too. */
type Read = Pick<FullEnvelope, "id" | "status" | "updatedAt"> & { condition?: SQL | undefined };

const isAsRead = ({ status, updatedAt, condition }: Read): Condition | undefined =>
  and(eq(envelopes.status, status), eq(envelopes.updatedAt, updatedAt), condition);

/** The statement that gives an envelope another link. It fails like `updateEnvelope`. */
export function updateLink(
  db: Database,
  member: Member,
  read: Read,
  { submissionToken, now }: { submissionToken: string; now: string },
): Statement {
  return db
    .update(envelopes)
    .set({
      submissionToken,
      updatedAt: laterThan(envelopes.updatedAt, now),
      updatedBy: member.userId,
      userId: onlyWhile(isAsRead(read), sql<number>`${envelopes.userId}`),
    })
    .where(own(member, read.id));
}

/**
 * The statements that assign an envelope, with its messages, to a member or owner of its workspace. They fail if the
 * person is neither, or if the envelope was changed after `read`, see `isEnvelopeChanged`.
 */
export function assignEnvelope(
  db: Database,
  member: Member,
  id: number,
  { assigneeId, read, now }: { assigneeId: number; read: string | null | undefined; now: string },
): Statement[] {
  const unchanged = read == null ? sql`1` : eq(envelopes.updatedAt, read);
  const assignee = assigneeIn(envelopes.workspaceId, assigneeId);
  return [
    ...assignEnvelopeMessages(db, member, id, assigneeId),
    db
      .update(envelopes)
      .set({
        ...lookAgain,
        userId: onlyWhile(unchanged, assignee),
        updatedAt: laterThan(envelopes.updatedAt, now),
        updatedBy: member.userId,
      })
      .where(own(member, id)),
  ];
}

/** The statements that pass on the messages of an envelope, before it is assigned to somebody else. */
export function assignEnvelopeMessages(
  db: Database,
  member: Member,
  id: number,
  assigneeId: number,
): Statement[] {
  const to = sql<number>`(select ${users.id} from ${users} where ${users.id} = ${assigneeId})`;
  return assignMessages(db, own(member, id), to);
}

export const insertWatcher = (db: Database, member: Member, id: number): Statement =>
  db
    .insert(envelopeWatchers)
    .values({ envelopeId: ownEnvelopeId(member, id), userId: member.userId })
    .onConflictDoNothing();

export const deleteWatcher = (db: Database, member: Member, id: number): Statement =>
  db
    .delete(envelopeWatchers)
    .where(equals(envelopeWatchers, { envelopeId: ownEnvelopeId(member, id), userId: member.userId }));

/**
 * The statements that end the watching of an envelope, with waiting notices, by who is no member of its workspace, after
 * it has moved there.
 */
export function deleteOutsideWatchers(db: Database, member: Member, id: number): Statement[] {
  const isInside = (userId: SQLiteColumn) =>
    sql`exists (select 1 from ${workspaceMembers} as me join ${envelopes} as here on here.workspace_id = me.workspace_id where here.id = ${ownEnvelopeId(member, id)} and me.user_id = ${userId})`;
  return [
    db
      .delete(envelopeWatchers)
      .where(
        and(
          eq(envelopeWatchers.envelopeId, ownEnvelopeId(member, id)),
          not(isInside(envelopeWatchers.userId)),
        ),
      ),
    deleteWaitingNotices(
      db,
      and(eq(notifications.envelopeId, ownEnvelopeId(member, id)), not(isInside(notifications.userId))),
    ),
  ];
}

/** Whether nobody was made a watcher because the envelope does not exist. */
export const isWatchedMissing = (error: unknown) => violates(error, "not null", envelopeWatchers.envelopeId);

/**
 * Deletes the envelope and records its files for deletion.
 * @param deliveries statements that queue webhook deliveries about the deletion
 * @returns whether the envelope existed
 */
export async function deleteEnvelope(
  db: Database,
  member: Member,
  id: number,
  { now, deliveries = [] }: { now: string; deliveries?: Statement[] },
): Promise<boolean> {
  const [rows] = await db.batch([
    db.select({ id: envelopes.id }).from(envelopes).where(own(member, id)),
    ...deliveries,
    insertActivity(
      db,
      member,
      {
        workspaceId: sql`(select ${envelopes.workspaceId} from ${envelopes} where ${own(member, id)})`,
        type: "request.deleted",
        // Nothing else of what was deleted stays.
        target: activityTarget({ id }),
        now,
      },
      sql`${ownEnvelopeId(member, id)} is not null`,
    ),
    deleteResponses(db, member, id),
    insertSubmissionDeletions(db, own(member, id), now),
    insertUploadDeletions(db, uploadsOf(own(member, id)), now),
    ...releaseAttachments(db, "envelope", ownEnvelopeId(member, id), now),
    db.delete(envelopes).where(own(member, id)),
  ]);
  return rows.length > 0;
}

/**
 * Marks the submission of this time as opened by the caller; a later one stays new.
 * @returns whether the envelope exists
 */
export function updateSeenEnvelope(
  db: Database,
  member: Member,
  id: number,
  completedAt: string,
): Promise<boolean> {
  const isNew = sql`${envelopes.isNew} and ${envelopes.completedAt} is not ${completedAt}`;
  return hasRows(db.update(envelopes).set({ isNew }).where(own(member, id)).returning({ id: envelopes.id }));
}

export const updateReminded = (db: Database, member: Member, id: number, remindedAt: string): Statement =>
  db.update(envelopes).set({ remindedAt }).where(own(member, id));

const own = (member: Member, id: number) =>
  and(eq(envelopes.id, id), isMember(envelopes.workspaceId, member));

/** Records that the envelope uses the template, which then cannot be deleted. */
export function insertTemplateUse(
  db: Database,
  member: Member,
  {
    workspaceId,
    ...use
  }: Omit<typeof templateUses.$inferInsert, "id" | "userId" | "envelopeId"> & {
    envelopeId: EnvelopeId;
    workspaceId: number;
  },
): Statement {
  const { userId } = member;
  const templateId = ownTemplate(member, { workspaceId, templateId: use.templateId });
  return db.insert(templateUses).values({ ...use, userId, templateId });
}

export function deleteTemplateUse(db: Database, member: Member, envelopeId: number): Statement {
  return db.delete(templateUses).where(eq(templateUses.envelopeId, ownEnvelopeId(member, envelopeId)));
}

/** Whether a batch failed because the template of `insertTemplateUse` no longer exists. */
export const isTemplateMissing = (error: unknown) => violates(error, "not null", templateUses.templateId);
