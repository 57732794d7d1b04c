import { and, eq, gt, inArray, lte, not, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  attachments,
  attachmentUses,
  bulkSends,
  envelopeDocuments,
  fileDeletions,
  series,
  templates,
  workspaces,
} from "../schema";
import { deletionColumns } from "./file-deletions";
import { onlyWhile } from "./guard";
import { isMember, type Member } from "./members";
import { listed, pick, valuesOf } from "./query-helpers";
import { requireWithinQuota } from "./quotas";
import { ownWorkspace } from "./workspaces";

type StoredAttachment = typeof attachments.$inferSelect;
type NewAttachment = Omit<StoredAttachment, "id" | "releasedAt">;

/** Whether any of these entries has attachments. */
export const hasAttachments = (entries: readonly { attachments: readonly unknown[] }[]) =>
  entries.some((entry) => entry.attachments.length > 0);

const shown = pick(attachments, "id", "fileName", "fileSize");
const file = pick(attachments, "filePath", "fileName", "fileSize", "mimeType");

/** Whether a workspace may have another form: whoever stores something there waits while all are added up. */
const hasRoom = (workspaceId: number) =>
  sql`(select count(*) from ${attachments} as form where form.workspace_id = ${workspaceId}) < ${SERVER_LIMITS.attachmentsPerWorkspace}`;

/** Fails if the workspace is full, or if it is beyond the quota of the workspace or of its owner of record. */
export const insertAttachment = (
  db: Database,
  member: Member,
  { workspaceId, ...attachment }: NewAttachment,
  quotas: AccountQuota,
): Statement[] => [
  db.insert(attachments).values({
    ...attachment,
    workspaceId: ownWorkspace(member, workspaceId),
    fileSize: onlyWhile(hasRoom(workspaceId), attachment.fileSize),
    releasedAt: attachment.createdAt,
  }),
  requireWithinQuota(db, quotas, {
    workspaceId,
    userId: sql`(select owned.user_id from ${workspaces} as owned where owned.id = ${workspaceId})`,
  }),
];

/** Whether an attachment was not inserted because its workspace is gone, or the caller's role. */
export const isAttachmentRejected = (error: unknown) => violates(error, "not null", attachments.workspaceId);

/** Whether an attachment was not inserted because its workspace has as many as it can have. */
export const isAttachmentsFull = (error: unknown) => violates(error, "not null", attachments.fileSize);

/** The attachment that the batch has inserted. */
export const selectAttachment = (db: Database, filePath: string) =>
  db.select(shown).from(attachments).where(eq(attachments.filePath, filePath));

export const findAttachment = (db: Database, member: Member, id: number) =>
  db
    .select(file)
    .from(attachments)
    .where(and(eq(attachments.id, id), isMember(attachments.workspaceId, member)))
    .get();

/** An attachment of an envelope whose link is known. */
export const findLinkedAttachment = (db: Database, envelopeId: number, id: number) =>
  db
    .select(file)
    .from(attachments)
    .where(
      sql`${attachments.id} = ${id} and exists (select 1 from ${attachmentUses} where ${attachmentUses.attachmentId} = ${attachments.id} and ${HOLDERS.envelope.uses(envelopeId)})`,
    )
    .get();

export const listAttachmentsById = (
  db: Database,
  member: Member,
  { workspaceId, ids }: { workspaceId: number; ids: readonly number[] },
) =>
  db
    .select({ ...shown, filePath: attachments.filePath })
    .from(attachments)
    .where(
      and(
        inArray(attachments.id, listed(ids)),
        eq(attachments.workspaceId, workspaceId),
        isMember(attachments.workspaceId, member),
      ),
    );

/** All attachments of the caller's workspaces, by their ids. */
export const listAttachments = (
  db: Database,
  member: Member,
  { after, limit }: { after: number; limit: number },
) =>
  db
    .select({ ...shown, ...pick(attachments, "workspaceId", "filePath", "mimeType", "sha256", "createdAt") })
    .from(attachments)
    .where(and(gt(attachments.id, after), isMember(attachments.workspaceId, member)))
    .orderBy(attachments.id)
    .limit(limit);

/** Adds these attachments of one workspace to another one that lacks them, without copying their files. Fails if that is full. @returns those there */
export async function copyAttachments(
  db: Database,
  member: Member,
  { ids, from, to, now }: { ids: readonly number[]; from: number; to: number; now: string },
) {
  const isTaken = and(
    inArray(attachments.id, listed(ids)),
    eq(attachments.workspaceId, from),
    isMember(attachments.workspaceId, member),
  );
  const isThere = sql`exists (select 1 from ${attachments} as there where there.workspace_id = ${to} and there.file_path = ${attachments.filePath})`;
  const [, copies] = await db.batch([
    db
      .insert(attachments)
      .select(
        sql`select null, ${ownWorkspace(member, to)}, file_path, file_name, ${onlyWhile(hasRoom(to), sql`file_size`)}, mime_type, sha256, ${now}, ${now} from ${attachments} where ${isTaken} and not ${isThere}`,
      ),
    db
      .select({ ...shown, filePath: attachments.filePath })
      .from(attachments)
      .where(
        and(
          inArray(attachments.filePath, valuesOf(attachments.filePath, isTaken)),
          eq(attachments.workspaceId, to),
          isMember(attachments.workspaceId, member),
        ),
      ),
  ]);
  return copies;
}

/** What may have attachments in its entries: where its uses are, and the statement's rows that say what they should be. */
const HOLDERS = {
  envelope: {
    uses: (id: number | SQL) =>
      sql`${attachmentUses.envelopeDocumentId} in (select ${envelopeDocuments.id} from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${id})`,
    rows: (id: number | SQL) =>
      sql`${envelopeDocuments.id}, null, null, null from ${envelopeDocuments} join json_each(${envelopeDocuments.details}, '$.attachments') as used where ${envelopeDocuments.envelopeId} = ${id}`,
  },
  template: {
    uses: (id: number | SQL) => sql`${attachmentUses.templateId} = ${id}`,
    rows: (id: number | SQL) =>
      sql`null, ${templates.id}, null, null from ${templates} join json_each(${templates.fields}) as entry join json_each(entry.value, '$.attachments') as used where ${templates.id} = ${id}`,
  },
  bulk: {
    uses: (id: number | SQL) => sql`${attachmentUses.bulkId} = ${id}`,
    rows: (id: number | SQL) =>
      sql`null, null, ${bulkSends.id}, null from ${bulkSends} join json_each(${bulkSends.envelope}, '$.documents') as entry join json_each(entry.value, '$.attachments') as used where ${bulkSends.id} = ${id}`,
  },
  series: {
    uses: (id: number | SQL) => sql`${attachmentUses.seriesId} = ${id}`,
    rows: (id: number | SQL) =>
      sql`null, null, null, ${series.id} from ${series} join json_each(${series.envelope}, '$.documents') as entry join json_each(entry.value, '$.attachments') as used where ${series.id} = ${id}`,
  },
};
type Holder = keyof typeof HOLDERS;

/**
 * Records which attachments the entries of something have, in the batch that inserts it. Fails if one is not of this
 * workspace, see `isAttachmentMissing`.
 */
export const insertAttachmentUses = (
  db: Database,
  holder: Holder,
  id: number | SQL,
  workspaceId: number | SQL,
): Statement =>
  db
    .insert(attachmentUses)
    .select(
      sql`select (select kept.id from ${attachments} as kept where kept.id = used.value ->> '$.id' and kept.workspace_id = ${workspaceId}), ${HOLDERS[holder].rows(id)}`,
    );

export const isAttachmentMissing = (error: unknown) =>
  violates(error, "not null", attachmentUses.attachmentId);

/** Records that something has no attachments any more, in the batch that deletes or changes it. */
export const releaseAttachments = (
  db: Database,
  holder: Holder,
  id: number | SQL,
  now: string,
): [Statement, Statement] => {
  const uses = HOLDERS[holder].uses(id);
  return [
    db
      .update(attachments)
      .set({ releasedAt: now })
      .where(
        sql`${attachments.id} in (select ${attachmentUses.attachmentId} from ${attachmentUses} where ${uses})`,
      ),
    db.delete(attachmentUses).where(uses),
  ];
};

/** How many are looked at in a part, during which nobody else is served. */
const LOOKED_AT = 1000;

/**
 * The statements that delete some of what has not been attached to anything since this time, and record the files for
 * deletion. What something has is looked at again a while later.
 */
export function deleteUnusedAttachments(
  db: Database,
  { before, now }: { before: string; now: string },
): Statement[] {
  const isSent = sql`exists (select 1 from ${bulkSends} where ${bulkSends.id} = ${attachmentUses.bulkId} and ${bulkSends.envelope} is null)`;
  const due = sql`(select due.id from ${attachments} as due where due.released_at <= ${before} order by due.released_at limit ${LOOKED_AT})`;
  const isUsed = (id: SQLiteColumn) =>
    sql`exists (select 1 from ${attachmentUses} where ${attachmentUses.attachmentId} = ${id})`;
  const unused: Which = ({ id }) => sql`${id} in ${due} and not ${isUsed(id)}`;
  return [
    // What a bulk send has sent is in its envelopes.
    db.delete(attachmentUses).where(sql`${attachmentUses.bulkId} is not null and ${isSent}`),
    insertAttachmentDeletions(db, unused, now),
    db.delete(attachments).where(unused(attachments)),
    db
      .update(attachments)
      .set({ releasedAt: now })
      .where(sql`${attachments.id} in ${due} and ${isUsed(attachments.id)}`),
  ];
}

/** One that is left to look at. */
export const selectReleased = (db: Database, before: string) =>
  db.select({ id: attachments.id }).from(attachments).where(lte(attachments.releasedAt, before)).limit(1);

type Which = (columns: Record<"id" | "workspaceId", SQLiteColumn>) => SQL | undefined;
const other = alias(attachments, "other");

/** Records the files of these for deletion, in the batch that deletes them. A file stays that another workspace has too. */
export function insertAttachmentDeletions(db: Database, which: Which, now: string): Statement {
  const isShared = sql`exists (select 1 from ${attachments} as other where ${other.filePath} = ${attachments.filePath} and not (${which(other)}))`;
  const files = db
    .select(deletionColumns(attachments.filePath, now))
    .from(attachments)
    .where(and(which(attachments), not(isShared)));
  return db.insert(fileDeletions).select(files).onConflictDoNothing();
}
