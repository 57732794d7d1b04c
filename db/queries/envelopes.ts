import { and, eq, getTableColumns, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  END_OF_LINK,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  listVersions,
  notifications,
  submissions,
  templateUses,
  uploads,
  users,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { ownerBelowLimit } from "./account-guards";
import { laterThan } from "./changes";
import { ownContact } from "./contacts";
import { insertSubmissionDeletions } from "./file-deletions";
import { asColumn, type Json, jsonRow, jsonRows, jsonRowUnlessNull, scalar } from "./json-row";
import { assigneeIn, isMember, type Member } from "./members";
import { activityTarget, assignMessages, deleteWaitingNotices, insertActivity } from "./membership";
import { scopedList, scopedVersion } from "./paging";
import { bind, prepared } from "./statements";
import { ownTemplate } from "./templates";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { deleteResponses, tellsOf } from "./webhook-deliveries";
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
    scanFailure: submissions.scanFailure,
    virus: submissions.virus,
    superseded: submissions.superseded,
  },
  sql`${submissions} where ${submissions.envelopeId} = ${envelopes.id}`,
  ({ id }) => id,
);

const watched = sql`from ${envelopeWatchers} where ${envelopeWatchers.envelopeId} = ${envelopes.id}`;
/** Whether the watcher is still a member of the envelope's workspace. */
const isWatcher = sql`exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${envelopes.workspaceId} and me.user_id = ${envelopeWatchers.userId})`;

/**
 * Another text after each change of what `envelopeRow` reads, except retention and watchers: triggers change the
 * envelope's `version`. The token belongs to it because a database restored to an earlier time uses ids again.
 */
export const versionOf = ({ submissionToken, version }: Pick<FullEnvelope, "submissionToken" | "version">) =>
  submissionToken + (version ?? "");

const retentionDays = scalar<number>(
  sql`iif(${envelopes.status} = 'completed', (select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${envelopes.workspaceId}), null)`,
);

const envelopeRow = jsonRow({
  ...getTableColumns(envelopes),
  contact: jsonRowUnlessNull(contacts.id, { firstName: contacts.firstName, lastName: contacts.lastName }),
  documents: requestedDocuments,
  submissions: storedFiles,
  retentionDays,
  /** Who gets the notices of its submissions beside the assignee. */
  watchers: {
    // Few envelopes are watched, and the aggregate costs more than looking.
    sql: sql`iif(exists (select 1 ${watched}), json((select json_group_array(${envelopeWatchers.userId}) ${watched} and ${isWatcher})), json('[]'))`,
    read: (ids) => ids as number[],
  } satisfies Json<number[]>,
  uploadedDocuments: scalar<number>(
    sql`iif(${envelopes.status} = 'pending', (select count(distinct ${uploads.requestDocumentId}) from ${uploads} where ${uploads.envelopeId} = ${envelopes.id} and ${uploads.completedAt} is not null), null)`,
  ),
  /** When the last reminder was queued; null unless the envelope is pending. */
  remindedAt: scalar<string>(
    sql`iif(${envelopes.status} = 'pending', (select max(${notifications.createdAt}) from ${notifications} where ${notifications.envelopeId} = ${envelopes.id} and ${notifications.kind} = 'reminder'), null)`,
  ),
});
const fullEnvelope = asColumn(envelopeRow);

export type FullEnvelope = (typeof fullEnvelope)["_"]["type"];

/** Envelopes of earlier versions may have contacts of other workspaces. */
const isItsContact = sql`${contacts.id} = ${envelopes.contactId} and ${contacts.workspaceId} = ${envelopes.workspaceId}`;

/** Envelopes with contact, documents and files, in one query for any number of envelopes. */
const selectEnvelopes = (db: Database) =>
  db.select({ envelope: fullEnvelope }).from(envelopes).leftJoin(contacts, isItsContact);

// Not `expiresAt`: SQLite would read each row for a generated column, although the index contains the columns it is
// computed from.
const hasExpired = sql`(${envelopes.status} = 'pending' and ${END_OF_LINK} < ${sql.placeholder("now")})`;
const isOverdue = sql`(${envelopes.status} = 'pending' and ${envelopes.endOfDueDay} < ${sql.placeholder("now")} and not ifnull(${hasExpired}, 0))`;
const hasStoredFiles = sql`(${envelopes.status} = 'completed' and ${envelopes.filesDeletedAt} is null)`;
const hasUnreviewed = sql`exists (select 1 from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}
  and ${envelopeDocuments.review} is null and case when ${envelopeDocuments.skipped}
    then ${envelopeDocuments.required} and ${envelopeDocuments.reasonAllowed}
    else exists (select 1 from ${submissions} where ${submissions.requestDocumentId} = ${envelopeDocuments.id} and not ${submissions.superseded}) end)`;

/** The number of envelopes by state; those to review also count as completed, and those that are overdue as waiting. */
const envelopeCounts = jsonRow({
  all: count(sql`1`),
  waiting: count(sql`${envelopes.status} = 'pending' and not ifnull(${hasExpired}, 0)`),
  overdue: count(sql`ifnull(${isOverdue}, 0)`),
  toReview: count(sql`${hasStoredFiles} and ${hasUnreviewed}`),
  completed: count(sql`${envelopes.status} = 'completed'`),
  expired: count(sql`${envelopes.status} = 'expired' or ifnull(${hasExpired}, 0)`),
  drafts: count(sql`${envelopes.status} = 'draft'`),
  /** When the time last changed and next changes them: after an end of a link or of a due day. */
  endedAt: scalar<string>(
    sql`max(iif(${envelopes.status} = 'pending', max(${endBefore(END_OF_LINK)}, ${endBefore(envelopes.endOfDueDay)}), null))`,
  ),
  endsAt: scalar<string>(
    sql`min(iif(${envelopes.status} = 'pending', min(${endAfter(END_OF_LINK)}, ${endAfter(envelopes.endOfDueDay)}), null))`,
  ),
});

export type EnvelopeCounts = ReturnType<(typeof envelopeCounts)["read"]>;

/** The time if it has passed, otherwise a text before all times. */
function endBefore(time: SQL | SQLiteColumn) {
  return sql`iif(${time} < ${sql.placeholder("now")}, ${time}, '')`;
}

/** The time if it has not passed, otherwise a text after all times. */
function endAfter(time: SQL | SQLiteColumn) {
  return sql`iif(${time} >= ${sql.placeholder("now")}, ${time}, '~')`;
}

function count(where: SQL): Json<number> {
  return { sql: sql`ifnull(sum(${where}), 0)`, read: Number };
}

/** The newest envelope for a contact in the contact's workspace: linked to it, or sent to its address. */
const newestOfContact = ({ memberships, before }: { memberships: SQL; before: SQL }) => {
  const newest = (isTheirs: SQL) =>
    sql`ifnull((select max(own.id) from ${envelopes} as own where own.id < ${before} and ${isTheirs} and ifnull(${isAssigned(sql`own.user_id`)}, true)), 0)`;
  // The plus keeps SQLite from searching all envelopes of the workspace for the contact.
  const linked = newest(sql`own.contact_id = known.id and +own.workspace_id = known.workspace_id`);
  const addressed = newest(sql`own.workspace_id = known.workspace_id and own.customer_email = known.email`);
  return sql`(select max(${linked}, ${addressed})
    from ${contacts} as known where known.id = ${sql.placeholder("contactId")} and known.workspace_id in (select me.workspace_id from ${memberships}))`;
};

/** The newest envelope of a bulk send in the caller's workspaces. */
const newestOfBulkSend = ({ memberships, before }: { memberships: SQL; before: SQL }) =>
  sql`(select max(own.id) from ${envelopes} as own where ${ofBulkSend(sql`own.bulk_id`)} and own.id < ${before} and +own.workspace_id in (select me.workspace_id from ${memberships}) and ifnull(${isAssigned(sql`own.user_id`)}, true))`;

const ofBulkSend = (column: SQL) => sql`${column} = ${sql.placeholder("bulkId")}`;

const isAssigned = (column: SQL) => sql`${column} = ${sql.placeholder("assigneeId")}`;

/** The newest envelope that is assigned to a person. */
const newestOfAssignee = ({ memberships, before }: { memberships: SQL; before: SQL }) =>
  sql`(select max((select max(own.id) from ${envelopes} as own where own.workspace_id = me.workspace_id and ${isAssigned(sql`own.user_id`)} and own.id < ${before})) from ${memberships})`;

/** The newest envelope that the search has found. */
const newestFound = ({ before }: { before: SQL }) =>
  sql`(select max(found.id) from found where found.id < ${before})`;

/**
 * The envelopes that a search finds in each of the caller's workspaces. The index has each word with its workspace, so
 * that others' envelopes cost nothing; whether an envelope is in the workspace is read from its row.
 */
const foundEnvelopes = ({ memberships, before }: { memberships: SQL; before: SQL }) => {
  const value = (name: string) => sql.placeholder(name);
  const isTheirs = sql`exists (select 1 from ${contacts} as known where known.id = ${value("contactId")} and known.workspace_id = mine.id and (own.contact_id = known.id or own.customer_email = known.email))`;
  const matching = sql`select own.id as id from request_search cross join ${envelopes} as own on own.id = request_search.rowid
    where request_search match replace(${value("expression")}, char(1), printf('%x:', mine.id)) and request_search.rowid < ${before}
      and own.workspace_id = mine.id and ifnull(${isAssigned(sql`own.user_id`)}, true) and ifnull(${ofBulkSend(sql`own.bulk_id`)}, true)
      and (${value("contactId")} is null or ${isTheirs})
    order by request_search.rowid desc limit ${LIMITS.pageMax} + 1`;
  return sql`found(id) as materialized (
    select of_workspace.value from (select me.workspace_id as id from ${memberships}) as mine
      cross join json_each((select json_group_array(id) from (${matching}))) as of_workspace)`;
};

/**
 * Changes with each change of what a list shows, in any of the caller's workspaces, except by time or a search: see
 * `listVersions`. Random, so that it never becomes the same again.
 */
const listVersion = ({ memberships }: { memberships: SQL }) => {
  const of = (workspaceId: SQL) =>
    sql`(select ${listVersions.version} from ${listVersions} where ${listVersions.workspaceId} = ${workspaceId})`;
  return sql`json_array(${of(sql`0`)}, json((select json_group_array(json_array(me.workspace_id, ${of(sql`me.workspace_id`)})) from ${memberships})))`;
};

/** The `version` of a page of envelopes, whatever the page and its filter. */
export const findEnvelopeListVersion = scopedVersion(listVersion);

const lists = {
  version: listVersion,
  filters: {
    contact: { newest: newestOfContact },
    bulkSend: {
      newest: newestOfBulkSend,
      where: sql`${ofBulkSend(sql`${envelopes.bulkId}`)} and ifnull(${isAssigned(sql`${envelopes.userId}`)}, true)`,
    },
    search: { newest: newestFound, with: foundEnvelopes },
    assignee: { newest: newestOfAssignee, where: isAssigned(sql`${envelopes.userId}`) },
  },
  summary: envelopeCounts,
};

/** A page of the caller's envelopes; `summarize` asks for the counts of all of them. */
export const listEnvelopes = scopedList(envelopes, envelopeRow, {
  ...lists,
  joins: sql`left join ${contacts} on ${isItsContact}`,
});

const versionRow = jsonRow({
  id: envelopes.id,
  version: {
    sql: sql`${envelopes.submissionToken} || ifnull(${envelopes.version}, '')`,
    read: (version) => version as string,
  } satisfies Json<string>,
  retentionDays,
  /** Whether the caller gets the notices of its submissions. */
  watching: {
    sql: sql`exists (select 1 ${watched} and ${envelopeWatchers.userId} = ${sql.placeholder("userId")})`,
    read: Boolean,
  } satisfies Json<boolean>,
});

/** The same page with the envelopes' versions only, see `versionOf`. */
export const listEnvelopeVersions = scopedList(envelopes, versionRow, lists);

export async function findEnvelope(
  db: Database,
  member: Member,
  id: number,
): Promise<FullEnvelope | undefined> {
  const [row] = await selectEnvelope(db, member, id);
  return row?.envelope;
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
): Promise<FullEnvelope | undefined> {
  const told = sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${webhookId} and ${tellsOf(envelopes.workspaceId)})`;
  const [row] = await selectEnvelopes(db).where(and(eq(envelopes.id, envelopeId), told));
  return row?.envelope;
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
  const { createdBy } = envelopes;
  const userId = ownerBelowLimit(envelopes, member.userId, LIMITS.envelopesPerAccount, assignee, createdBy);
  const by = { createdBy: member.userId, updatedBy: member.userId };
  return db.insert(envelopes).values({ ...request, ...ownLinks(member, request), userId, ...by });
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
  const assignee = assigneeId === undefined ? envelopes.userId : assigneeIn(changes.workspaceId, assigneeId);
  return db
    .update(envelopes)
    .set({
      ...changes,
      ...ownLinks(member, changes),
      updatedAt: laterThan(envelopes.updatedAt, changes.updatedAt),
      updatedBy: member.userId,
      userId: ifUnchanged(read, assignee),
    })
    .where(own(member, read.id));
}

/** An envelope as it was read; `condition` must still hold too. */
type Read = Pick<FullEnvelope, "id" | "status" | "updatedAt"> & { condition?: SQL | undefined };

/** The new assignee, or NULL if the row was changed since it was read. */
const ifUnchanged = ({ status, updatedAt, condition }: Read, assignee: SQL | SQLiteColumn) =>
  sql<number>`case when ${and(eq(envelopes.status, status), eq(envelopes.updatedAt, updatedAt), condition)} then ${assignee} end`;

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
      userId: ifUnchanged(read, envelopes.userId),
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
        userId: sql`case when ${unchanged} then ${assignee} end`,
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

/** The statement that makes the caller watch an envelope. */
export const insertWatcher = (db: Database, member: Member, id: number): Statement =>
  db
    .insert(envelopeWatchers)
    .values({ envelopeId: ownEnvelopeId(member, id), userId: member.userId })
    .onConflictDoNothing();

export const deleteWatcher = (db: Database, member: Member, id: number): Statement =>
  db
    .delete(envelopeWatchers)
    .where(
      and(
        eq(envelopeWatchers.envelopeId, ownEnvelopeId(member, id)),
        eq(envelopeWatchers.userId, member.userId),
      ),
    );

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
    insertUploadDeletions(db, uploadsOf(db, own(member, id)), now),
    db.delete(envelopes).where(own(member, id)),
  ]);
  return rows.length > 0;
}

/**
 * Marks the submission of this time as opened by the caller; a later one stays new.
 * @returns whether the envelope exists
 */
export async function updateSeenEnvelope(
  db: Database,
  member: Member,
  id: number,
  completedAt: string,
): Promise<boolean> {
  const isNew = sql`${envelopes.isNew} and ${envelopes.completedAt} is not ${completedAt}`;
  const rows = await db
    .update(envelopes)
    .set({ isNew })
    .where(own(member, id))
    .returning({ id: envelopes.id });
  return rows.length > 0;
}

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
