import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import { ERRORS, type ErrorCode } from "../../worker/contract/errors";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  apiTokens,
  bulkRecipients,
  bulkSends,
  contacts,
  envelopeDocuments,
  envelopes,
  series,
  seriesOccurrences,
} from "../schema";
import { insertAttachmentUses } from "./attachments";
import { awaitsReview, isOpened } from "./envelope-list";
import { type Condition, onlyWhile } from "./guard";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { isMember, type Member } from "./members";
import { bind, listed, pick, prepared, shortLists, valuesOf } from "./query-helpers";
import { requireWithinQuota } from "./quotas";
import { activityTarget, insertActivity } from "./workspace-activity";
import { ownWorkspace } from "./workspaces";

export type BulkSendRow = typeof bulkSends.$inferSelect;
export type WaitingRecipient = Pick<typeof bulkRecipients.$inferSelect, "position" | "recipient">;
/** Why there is no envelope for a recipient. */
export type BulkFailure = { code: ErrorCode; message: string };

type NewBulkSend = Pick<
  BulkSendRow,
  "workspaceId" | "apiTokenId" | "address" | "subject" | "envelope" | "textBytes" | "createdAt"
> & {
  recipients: readonly object[];
  /** Whether the caller's account is as it was when the call was checked. */
  unchanged?: Condition;
};

/** The bulk send that the batch has inserted: ids only grow. */
export const LAST_BULK_SEND = sql<number>`(select max(${bulkSends.id}) from ${bulkSends})`;

const insertRow = (
  db: Database,
  member: Member,
  { recipients, workspaceId, unchanged, ...row }: NewBulkSend,
) =>
  db
    .insert(bulkSends)
    .values({
      ...row,
      createdBy: onlyWhile(unchanged, member.userId),
      workspaceId: ownWorkspace(member, workspaceId),
      total: recipients.length,
    })
    .returning({ id: bulkSends.id });

/** The statements that store what belongs to `LAST_BULK_SEND`. */
const insertRest = (
  db: Database,
  member: Member,
  { recipients, workspaceId, subject, envelope, createdAt }: NewBulkSend,
): Statement[] => [
  ...shortLists(recipients).map(({ start, json }) =>
    db
      .insert(bulkRecipients)
      .select(
        sql`select ${LAST_BULK_SEND}, key + ${start}, 'waiting', value, null, null from json_each(${json})`,
      ),
  ),
  insertAttachmentUses(db, "bulk", LAST_BULK_SEND, workspaceId),
  insertActivity(db, member, {
    ...{ workspaceId, type: envelope?.sendOn ? "request.scheduled" : "request.sent" },
    target: activityTarget({ name: subject }),
    ...{ detail: { count: recipients.length }, now: createdAt },
  }),
];

/** The statements that store a bulk send with all of its recipients. They fail, see `isBulkSendRejected`. */
export const bulkSendStatements = (db: Database, member: Member, bulk: NewBulkSend): Statement[] => [
  insertRow(db, member, bulk),
  ...insertRest(db, member, bulk),
];

/** Stores a bulk send with all of its recipients, or fails, see `isBulkSenderRejected`. @returns its id */
export async function insertBulkSend(
  db: Database,
  member: Member,
  bulk: NewBulkSend,
  quotas: AccountQuota,
  claim?: KeyClaim,
): Promise<number> {
  const { workspaceId } = bulk;
  const [[stored]] = await db.batch([
    insertRow(db, member, bulk),
    ...insertRest(db, member, bulk),
    ...recordKeyedResource(db, claim, LAST_BULK_SEND),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
  ]);
  if (!stored) throw new Error("The bulk send was not inserted");
  return stored.id;
}

/** Whether a bulk send was not stored because its caller's account has changed. */
export const isBulkSenderRejected = (error: unknown) => violates(error, "not null", bulkSends.createdBy);

/** Whether a bulk send was not stored because its workspace is gone, or the caller's role. */
export const isBulkSendRejected = (error: unknown) => violates(error, "not null", bulkSends.workspaceId);

const recipientsOf = (state: (typeof bulkRecipients.$inferSelect)["state"]) =>
  sql`from ${bulkRecipients} where ${bulkRecipients.bulkId} = ${bulkSends.id} and ${bulkRecipients.state} = ${state}`;

type Failed = BulkFailure & { index: number; recipientName: string };

/** The envelopes of a bulk send that are in its workspace still. */
const ofBulk = sql`from ${envelopes} where ${envelopes.bulkId} = ${bulkSends.id} and +${envelopes.workspaceId} = ${bulkSends.workspaceId}`;
const questionsOfFirst = sql`from ${envelopeDocuments} where ${envelopeDocuments.kind} <> 'file'
  and ${envelopeDocuments.envelopeId} = (select min(${envelopes.id}) ${ofBulk})`;
const isCompleted = sql`${envelopes.status} = 'completed'`;
/** Drizzle omits the tables of columns that are directly in a selected value, but not of those in a nested one. */
const countIf = (which: SQL) => sql`count(*) filter (where ${which})`;

const STATE = {
  ...pick(bulkSends, "id", "workspaceId", "subject", "total", "createdAt"),
  finished: sql<boolean>`${bulkSends.finishedAt} is not null`.mapWith(Boolean),
  // Each row is read once for all that is counted: there are hundreds of each.
  recipients: sql<
    [created: number, failed: Failed[]]
  >`(select json_array(count(*) filter (where state = 'created'), json_group_array(json_object('index', position, 'code', code, 'message', message, 'recipientName', recipient ->> '$.recipientName')) filter (where state = 'failed'))
    ${sql`from ${bulkRecipients} where ${bulkRecipients.bulkId} = ${bulkSends.id}`})`.mapWith(
    (json: string) => JSON.parse(json) as [number, Failed[]],
  ),
  questions: sql<number>`(select count(*) ${questionsOfFirst})`,
  sent: sql<
    [opened: number, completed: number, toReview: number]
  >`(select json_array(${countIf(sql`${isCompleted} or ${isOpened(envelopes)}`)}, ${countIf(isCompleted)}, ${countIf(awaitsReview(envelopes))})
    ${ofBulk})`.mapWith((json: string) => JSON.parse(json) as [number, number, number]),
  series: sql<{
    id: number;
    name: string;
    day: string;
  } | null>`(select json_object('id', whole.id, 'name', whole.name, 'day', one.day) from ${seriesOccurrences} as one join ${series} as whole on whole.id = one.series_id where one.bulk_id = ${sql`${bulkSends.id}`})`.mapWith(
    (json: string) => JSON.parse(json) as { id: number; name: string; day: string },
  ),
};

const selectStates = (db: Database, member: Member, which: SQL | undefined) =>
  db
    .select(STATE)
    .from(bulkSends)
    .where(and(isMember(bulkSends.workspaceId, member), which));

type Selected = Awaited<ReturnType<typeof selectStates>>[number];

const stateOf = ({
  recipients: [created, failed],
  sent: [opened, completed, toReview],
  ...row
}: Selected) => ({ ...row, created, failed, opened, completed, toReview });

export async function findBulkSend(db: Database, member: Member, id: number) {
  const [row] = await selectStates(db, member, eq(bulkSends.id, id));
  return row && stateOf(row);
}

/** What a finished bulk send has not sent: what its envelopes have in common, with the recipients that have none. */
export async function findUnsent(db: Database, member: Member, id: number) {
  const isOne = and(eq(bulkSends.id, id), isMember(bulkSends.workspaceId, member));
  const rows = await db
    .select({
      envelope: bulkSends.envelope,
      index: bulkRecipients.position,
      recipient: bulkRecipients.recipient,
    })
    .from(bulkSends)
    .innerJoin(bulkRecipients, eq(bulkRecipients.bulkId, bulkSends.id))
    .where(and(isOne, isNotNull(bulkSends.finishedAt), eq(bulkRecipients.state, "failed")))
    .orderBy(asc(bulkRecipients.position));
  const envelope = rows[0]?.envelope;
  return envelope ? { envelope, recipients: rows } : null;
}

/** The newest bulk sends of a workspace, or of all workspaces of the caller; after one, those that follow it. */
export async function listBulkSends(
  db: Database,
  member: Member,
  { workspaceId, after, limit }: { workspaceId?: number | undefined; after?: number; limit: number },
) {
  const rows = await selectStates(
    db,
    member,
    and(
      workspaceId === undefined ? undefined : eq(bulkSends.workspaceId, workspaceId),
      after === undefined ? undefined : gt(bulkSends.id, after),
    ),
  )
    .orderBy(after === undefined ? desc(bulkSends.id) : asc(bulkSends.id))
    .limit(limit);
  return rows.map(stateOf);
}

/** The contacts with these ids in the workspace, as far as the caller may see them. */
export const listContactsById = (
  db: Database,
  member: Member,
  { workspaceId, ids }: { workspaceId: number; ids: readonly number[] },
) =>
  db
    .select(getTableColumns(contacts))
    .from(contacts)
    .where(
      and(
        eq(contacts.workspaceId, workspaceId),
        sql`${contacts.id} in ${listed(ids)}`,
        isMember(contacts.workspaceId, member),
      ),
    );

/** The ids of bulk sends of all accounts that have waiting recipients, after one of them; the oldest first. */
export async function listUnfinishedBulkSends(db: Database, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: bulkSends.id })
    .from(bulkSends)
    .where(and(isNull(bulkSends.finishedAt), gt(bulkSends.id, after)))
    .orderBy(asc(bulkSends.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * A bulk send with the time when the API token that called expires and, if a series has created it, the id of that and the
 * day for which it was planned.
 */
export type BulkSendToWork = BulkSendRow & {
  tokenExpiresAt: string | null;
  seriesId: number | null;
  day: string | null;
};

/** An unfinished bulk send with its waiting recipients; undefined if it is finished or gone. */
export async function findBulkSendToWork(
  db: Database,
  id: number,
): Promise<{ bulk: BulkSendToWork; waiting: WaitingRecipient[] } | undefined> {
  const query = workOf(db);
  const [[bulk], waiting] = await db.batch([bind(query.bulk, { id }), bind(query.waiting, { id })]);
  return bulk && { bulk, waiting };
}

const workOf = prepared((db) => ({
  bulk: db
    .select({
      ...getTableColumns(bulkSends),
      tokenExpiresAt: apiTokens.expiresAt,
      ...pick(seriesOccurrences, "seriesId", "day"),
    })
    .from(bulkSends)
    .leftJoin(apiTokens, eq(apiTokens.id, bulkSends.apiTokenId))
    .leftJoin(seriesOccurrences, eq(seriesOccurrences.bulkId, bulkSends.id))
    .where(and(eq(bulkSends.id, sql.placeholder("id")), isNull(bulkSends.finishedAt)))
    .prepare(),
  waiting: db
    .select(pick(bulkRecipients, "position", "recipient"))
    .from(bulkRecipients)
    .where(and(eq(bulkRecipients.bulkId, sql.placeholder("id")), eq(bulkRecipients.state, "waiting")))
    .orderBy(asc(bulkRecipients.position))
    .prepare(),
}));

const isRow = (bulkId: number, position: number) =>
  and(eq(bulkRecipients.bulkId, bulkId), eq(bulkRecipients.position, position));
const isOne = (id: number | SQL) => eq(bulkRecipients.bulkId, sql`${id}`);

/**
 * The statement that takes a recipient, for the batch that creates the envelope. It fails if another process has taken
 * them: see `isRecipientTaken`.
 */
export const takeRecipient = (db: Database, bulkId: number, position: number): Statement =>
  db
    .update(bulkRecipients)
    .set({
      state: onlyWhile<"created">(eq(bulkRecipients.state, "waiting"), "created"),
      recipient: null,
    })
    .where(isRow(bulkId, position));

export const isRecipientTaken = (error: unknown) => violates(error, "not null", bulkRecipients.state);

/** The statement that records why there is no envelope for waiting recipients; without their positions, for all. */
export const failRecipients = (
  db: Database,
  bulkId: number | SQL,
  { code, message }: BulkFailure,
  positions?: readonly number[],
): Statement =>
  db
    .update(bulkRecipients)
    .set({ state: "failed", code, message })
    .where(
      and(
        isOne(bulkId),
        positions && sql`${bulkRecipients.position} in ${listed(positions)}`,
        eq(bulkRecipients.state, "waiting"),
      ),
    );

/** What the envelopes have in common, while there are recipients without one. */
const unsent = {
  envelope: sql`case when exists (select 1 ${recipientsOf("failed")}) then ${bulkSends.envelope} end`,
  textBytes: sql`iif(exists (select 1 ${recipientsOf("failed")}), ${bulkSends.textBytes}, 0)`,
};
const ALL_SENT = { envelope: null, textBytes: 0 };

/**
 * The statement that ends a bulk send without waiting recipients. What its envelopes have in common is theirs now, unless
 * there are recipients without one.
 */
export const finishBulkSend = (db: Database, id: number | SQL, finishedAt: string): Statement =>
  db
    .update(bulkSends)
    .set({ ...unsent, address: "", finishedAt })
    .where(
      and(
        eq(bulkSends.id, sql`${id}`),
        isNull(bulkSends.finishedAt),
        sql`not exists (select 1 ${recipientsOf("waiting")})`,
      ),
    );

/** Whether it was finished before this time. */
export const isOld = (before: string) => lt(bulkSends.finishedAt, before);
/** The statements that delete what these bulk sends have not sent. */
export const deleteUnsent = (db: Database, which: SQL | undefined): Statement[] => [
  db
    .delete(bulkRecipients)
    .where(
      and(eq(bulkRecipients.state, "failed"), inArray(bulkRecipients.bulkId, valuesOf(bulkSends.id, which))),
    ),
  db
    .update(bulkSends)
    .set(ALL_SENT)
    .where(and(which, isNotNull(bulkSends.envelope))),
];

/**
 * The statements that delete what is not needed any more of all accounts' bulk sends that were finished before this time:
 * the recipients without an envelope, and a bulk send whose envelopes are gone.
 */
export function deleteOldBulkSends(db: Database, before: string): Statement[] {
  const old = isOld(before);
  const hasEnvelope = valuesOf(envelopes.id, eq(envelopes.bulkId, bulkSends.id));
  const isOccurrence = valuesOf(seriesOccurrences.bulkId, eq(seriesOccurrences.bulkId, bulkSends.id));
  return [
    ...deleteUnsent(db, old),
    db.delete(bulkSends).where(and(old, notExists(hasEnvelope), notExists(isOccurrence))),
  ];
}

export type Ended = { userId: number; apiTokenId?: number };

export const unfinishedOf = (of: Ended | undefined) =>
  and(
    isNull(bulkSends.finishedAt),
    of && eq(bulkSends.createdBy, of.userId),
    of?.apiTokenId === undefined ? undefined : eq(bulkSends.apiTokenId, of.apiTokenId),
  );

/**
 * The statements that end the unfinished bulk sends of an account or of its API token, or all, with this failure for whoever
 * waits. A process that works on one finds them taken. Those of an account keep what was not sent.
 */
export function stopBulkSends(
  db: Database,
  code: ErrorCode,
  now: string,
  of?: { userId: number; apiTokenId?: number; ids?: readonly number[] },
): Statement[] {
  const unfinished = and(unfinishedOf(of), of?.ids && sql`${bulkSends.id} in ${listed(of.ids)}`);
  const ids = valuesOf(bulkSends.id, unfinished);
  return [
    db
      .update(bulkRecipients)
      .set({ state: "failed", code, message: ERRORS[code].message })
      .where(and(eq(bulkRecipients.state, "waiting"), inArray(bulkRecipients.bulkId, ids))),
    db
      .update(bulkSends)
      .set({ ...(of ? unsent : ALL_SENT), finishedAt: now, address: "" })
      .where(unfinished),
  ];
}
