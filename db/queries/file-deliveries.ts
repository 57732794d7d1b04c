import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { DELIVERY_STATES } from "../../worker/contract/destinations";
import { type Database, runBatch, type Statement } from "../client";
import { destinations, envelopes, fileDeliveries, submissions } from "../schema";
import { isMember, type Member } from "./members";
import { hasRows, listed, pageOf, pagesAfter, pick, prepared, valuesOf } from "./query-helpers";

export type FileDelivery = typeof fileDeliveries.$inferSelect;

// A literal, as the condition of the partial index.
export const isWaiting = sql`${fileDeliveries.state} = 'waiting'`;

const anyWaiting = prepared((db) =>
  db.select({ id: fileDeliveries.id }).from(fileDeliveries).where(isWaiting).limit(1).prepare(),
);

export const hasWaitingFiles = (db: Database): Promise<boolean> => hasRows(anyWaiting(db).all());

/**
 * The statements that queue the files and answers that match for each destination that gets them, once or after they failed,
 * and the manifest of each submission that has files among them. A condition names the columns of `submissions` or `answers`
 * (`item`), of `envelopes` and of `destinations`.
 * @param nextPageAt when pages that were delivered before are delivered again; without it, they are not
 */
function queue(
  db: Database,
  where: (item: { documentId: SQL; at: SQL }) => SQL,
  now: string,
  nextPageAt: string | null = null,
): Statement[] {
  const into = sql`insert into ${fileDeliveries} (destination_id, envelope_id, submission_id, page, submitted_at, state_at, next_attempt_at, created_at)`;
  const source = sql`${destinations} on ${destinations.workspaceId} = ${envelopes.workspaceId}`;
  const again = sql`on conflict do update set state = 'waiting', state_at = ${now}, attempts = 0, failure = null, failure_text = null, next_attempt_at`;
  const orAgain = sql`${again} = ${now} where state = 'failed'`;
  // One that is being sent lists too little: its attempt loses the claim.
  const pageOrAgain = sql`${again} = iif(state = 'failed', ${now}, ${nextPageAt}), claimed_by = null, claimed_until = null
    where state = 'failed' or (${nextPageAt} is not null and (state = 'delivered' or claimed_by is not null))`;
  const file = where({ documentId: sql`item.envelope_document_id`, at: sql`item.created_at` });
  const answer = where({ documentId: sql`item.envelope_document_id`, at: sql`item.submitted_at` });
  return [
    db.run(sql`${into}
      select ${destinations.id}, item.envelope_id, item.id, null, item.created_at, ${now}, ${now}, ${now}
      from submissions as item join ${envelopes} on ${envelopes.id} = item.envelope_id join ${source}
      where item.deleted_at is null and not item.superseded and ${file} ${orAgain}`),
    db.run(sql`${into}
      select distinct ${destinations.id}, item.envelope_id, null, 'answers.html', item.submitted_at, ${now}, ${now}, ${now}
      from answers as item join ${envelopes} on ${envelopes.id} = item.envelope_id join ${source}
      where ${destinations.includeAnswers} and item.submitted_at is not null and item.value is not null and not item.superseded
        and ${answer} ${pageOrAgain}`),
    db.run(sql`${into}
      select distinct ${destinations.id}, sent.envelope_id, null, 'manifest.csv', sent.submitted_at, ${now}, ${now}, ${now}
      from file_deliveries as sent join ${envelopes} on ${envelopes.id} = sent.envelope_id join ${source} and ${destinations.id} = sent.destination_id
      where ${destinations.includeAnswers} and sent.submission_id is not null and sent.state = 'waiting' and sent.state_at = ${now}
        and sent.envelope_id in (select item.envelope_id from submissions as item join ${envelopes} on ${envelopes.id} = item.envelope_id join ${source} where ${file})
        ${pageOrAgain}`),
  ];
}

/** The statements that queue what was submitted in their batch. */
export const queueSubmitted = (db: Database, envelopeId: number, now: string): Statement[] =>
  queue(
    db,
    ({ at }) =>
      sql`${envelopes.id} = ${envelopeId} and ${at} = ${now} and ${destinations.deliveredWhen} = 'submitted'`,
    now,
  );

/** Documents are accepted one after another: pages that the destination has already list the next ones together. */
const NEXT_PAGE_MS = 10 * 60_000;

/**
 * The statements that queue what belongs to accepted documents, and take back what waits of those that are not accepted any
 * more, and the pages that would list nothing.
 */
export function queueAccepted(
  db: Database,
  envelopeId: number,
  { accepted, undone, now }: { accepted: number[]; undone: number[]; now: string },
): Statement[] {
  const isOf = (documents: number[]) => sql`item.envelope_document_id in ${listed(documents)}`;
  const queued = queue(
    db,
    () =>
      sql`${envelopes.id} = ${envelopeId} and ${isOf(accepted)} and ${destinations.deliveredWhen} = 'accepted'`,
    now,
    new Date(Date.parse(now) + NEXT_PAGE_MS).toISOString(),
  );
  const takeBack = (which: SQL) =>
    db
      .delete(fileDeliveries)
      .where(
        and(
          eq(fileDeliveries.envelopeId, envelopeId),
          isWaiting,
          isNull(fileDeliveries.startedAt),
          which,
          exists(
            valuesOf(
              destinations.id,
              and(
                eq(destinations.id, fileDeliveries.destinationId),
                eq(destinations.deliveredWhen, "accepted"),
              ),
            ),
          ),
        ),
      );
  const files = sql`${fileDeliveries.submissionId} in (select item.id from submissions as item where item.envelope_id = ${envelopeId} and ${isOf(undone)})`;
  const isListed = sql`iif(${fileDeliveries.page} = 'answers.html',
    exists (select 1 from answers as item join envelope_documents as asked on asked.id = item.envelope_document_id
      where item.envelope_id = ${envelopeId} and item.submitted_at = ${fileDeliveries.submittedAt} and not item.superseded and asked.review = 'accepted'),
    exists (select 1 from file_deliveries as sent where sent.envelope_id = ${envelopeId} and sent.destination_id = ${fileDeliveries.destinationId}
      and sent.submitted_at = ${fileDeliveries.submittedAt} and sent.submission_id is not null))`;
  const pages = sql`${fileDeliveries.page} is not null and not ${isListed}`;
  return [
    ...(accepted.length > 0 ? queued : []),
    ...(undone.length > 0 ? [takeBack(files), takeBack(pages)] : []),
  ];
}

type Earlier = { from?: string; envelopeIds?: readonly number[] };

/** What one of the caller's destinations would have got of this time or these envelopes. */
const isEarlier =
  (member: Member, id: number, { from, envelopeIds }: Earlier) =>
  ({ documentId, at }: { documentId: SQL; at: SQL }) =>
    sql.join(
      [
        sql`${destinations.id} = ${id} and ${isMember(destinations.workspaceId, member)}`,
        sql`(${destinations.deliveredWhen} = 'submitted' or exists (select 1 from envelope_documents as asked where asked.id = ${documentId} and asked.review = 'accepted'))`,
        ...(from === undefined ? [] : [sql`${at} >= ${from}`]),
        ...(envelopeIds === undefined ? [] : [sql`${envelopes.id} in ${listed(envelopeIds)}`]),
      ],
      sql` and `,
    );

type Counted = { files: number; bytes: number };
type InTurn = { takeTurn: (() => Promise<void>) | undefined };

/** Envelopes that one statement looks at, each with up to some thousands of files; where each statement is a call, more. */
const PART = { inTurn: 25, atOnce: 1000 };
/** Files that one batch queues: others wait for it. */
const QUEUED_AT_ONCE = 5000;

/** The caller's envelopes that a destination may deliver, in parts, each with what it would have got of it and has not. */
function earlierParts(db: Database, member: Member, id: number, { takeTurn, ...earlier }: Earlier & InTurn) {
  const isChosen = isEarlier(member, id, earlier);
  const isOne = earlier.envelopeIds && sql`and ${envelopes.id} in ${listed(earlier.envelopeIds)}`;
  const limit = takeTurn ? PART.inTurn : PART.atOnce;
  const readPart = async (after: number) => {
    await takeTurn?.();
    return db.all<Counted & { id: number }>(sql`with part as (
        select ${envelopes.id} as id from ${envelopes} where ${envelopes.workspaceId} = (select place.workspace_id from destinations as place where place.id = ${id})
          and ${envelopes.id} > ${after} ${isOne ?? sql``} order by ${envelopes.id} limit ${limit})
      select part.id as id, count(item.id) as files, coalesce(sum(item.file_size), 0) as bytes
      from part cross join ${envelopes} on ${envelopes.id} = part.id cross join ${destinations} on ${destinations.id} = ${id}
        left join submissions as item on item.envelope_id = part.id and item.deleted_at is null and not item.superseded
          and ${isChosen({ documentId: sql`item.envelope_document_id`, at: sql`item.created_at` })}
          and not exists (select 1 from file_deliveries as sent where sent.destination_id = ${id} and sent.submission_id = item.id and sent.state <> 'failed')
      group by part.id order by part.id`);
  };
  return pagesAfter(limit, readPart);
}

const sumOf = (parts: readonly Counted[]): Counted => ({
  files: parts.reduce((sum, { files }) => sum + files, 0),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** How many files `queueEarlier` would queue, and their size. */
export async function countEarlier(...call: Parameters<typeof earlierParts>): Promise<Counted> {
  let counted: Counted = { files: 0, bytes: 0 };
  for await (const part of earlierParts(...call)) counted = sumOf([counted, ...part]);
  return counted;
}

/**
 * Queues what one of the caller's destinations would have got, and has not, failed files included; in parts, of which those
 * before an interruption stay.
 * @returns how many files, and their size
 */
export async function queueEarlier(
  db: Database,
  member: Member,
  id: number,
  { now, ...earlier }: Earlier & InTurn & { now: string },
): Promise<Counted> {
  let counted: Counted = { files: 0, bytes: 0 };
  for await (const part of earlierParts(db, member, id, earlier)) {
    for (const some of byFiles(part)) {
      const envelopeIds = some.map((envelope) => envelope.id);
      await runBatch(db, queue(db, isEarlier(member, id, { ...earlier, envelopeIds }), now));
      await earlier.takeTurn?.();
    }
    counted = sumOf([counted, ...part]);
  }
  return counted;
}

/** Cut where there are too many files for one batch. */
function byFiles<Envelope extends Counted>(envelopes: readonly Envelope[]): Envelope[][] {
  const parts: Envelope[][] = [];
  let files = QUEUED_AT_ONCE;
  for (const envelope of envelopes) {
    files += envelope.files;
    if (files < QUEUED_AT_ONCE) parts.at(-1)?.push(envelope);
    else {
      parts.push([envelope]);
      files = envelope.files;
    }
  }
  return parts;
}

/** A page of the log of one of the caller's destinations, newest first. The index has each state's in order, not those of all. */
export const listFileDeliveries = (
  db: Database,
  member: Member,
  destinationId: number,
  { state, limit, cursor }: { state?: FileDelivery["state"]; limit: number; cursor?: number },
) => {
  const before = cursor === undefined ? sql`` : sql`and log.id < ${cursor}`;
  const latest = (state === undefined ? DELIVERY_STATES : [state]).map(
    (one) =>
      sql`select * from (select log.id from file_deliveries as log where log.destination_id = ${destinationId} and log.state = ${one} ${before} order by log.id desc limit ${limit + 1})`,
  );
  return pageOf(
    logOf(db)
      .where(
        and(
          sql`${fileDeliveries.id} in (${sql.join(latest, sql` union all `)})`,
          isOwn(destinationId, member),
        ),
      )
      .orderBy(desc(fileDeliveries.id)),
    limit,
  );
};

const { documentName, fileName } = submissions;
// What continues a delivery may be long, and no list shows it.
const { session: _, ...shown } = getTableColumns(fileDeliveries);
const logOf = (db: Database) =>
  db
    .select({
      ...shown,
      documentName,
      fileName: sql<string>`coalesce(${fileName}, ${fileDeliveries.page})`,
    })
    .from(fileDeliveries)
    .leftJoin(submissions, eq(submissions.id, fileDeliveries.submissionId));

/** A delivery of an envelope's file, with its destination, for webhooks. */
export async function findFileDelivery(db: Database, { envelopeId, id }: { envelopeId: number; id: number }) {
  const [entry] = await logOf(db).where(
    and(eq(fileDeliveries.id, id), eq(fileDeliveries.envelopeId, envelopeId)),
  );
  const destination =
    entry &&
    (await db
      .select(pick(destinations, "id", "name", "kind"))
      .from(destinations)
      .where(eq(destinations.id, entry.destinationId))
      .get());
  return entry && destination ? { ...entry, destination } : undefined;
}

const isOwn = (destinationId: number, member: Member) =>
  and(
    eq(fileDeliveries.destinationId, destinationId),
    inArray(
      fileDeliveries.destinationId,
      valuesOf(
        destinations.id,
        and(eq(destinations.id, destinationId), isMember(destinations.workspaceId, member)),
      ),
    ),
  );

/**
 * Queues a delivery again with all its attempts, unless it runs. Its plan stays, so that what is still there is recognized.
 * @returns its entry in the log
 */
export async function requeueFile(
  db: Database,
  member: Member,
  destinationId: number,
  { id, now }: { id: number; now: string },
) {
  const own = and(eq(fileDeliveries.id, id), isOwn(destinationId, member));
  const [, rows] = await db.batch([
    db
      .update(fileDeliveries)
      .set({
        ...{ state: "waiting", stateAt: now, attempts: 0, nextAttemptAt: now },
        ...{ failure: null, failureText: null },
      })
      .where(and(own, or(isNull(fileDeliveries.claimedUntil), lte(fileDeliveries.claimedUntil, now)))),
    logOf(db).where(own),
  ]);
  return rows[0];
}

/** Rows that one statement deletes: others wait for it. */
const DELETED_AT_ONCE = 5000;

/** Whether one of the caller's destinations has more deliveries than one statement deletes. */
export async function hasManyDeliveries(
  db: Database,
  member: Member,
  destinationId: number,
): Promise<boolean> {
  const rows = await db
    .select({ id: fileDeliveries.id })
    .from(fileDeliveries)
    .where(and(eq(fileDeliveries.destinationId, destinationId), isOwn(destinationId, member)))
    .limit(1)
    .offset(DELETED_AT_ONCE);
  return rows.length > 0;
}

/** Deletes some deliveries to the destinations of workspaces that were deleted. @returns whether there may be more */
export async function deleteSomeDeliveries(db: Database): Promise<boolean> {
  const theirs = sql`select place.id from workspaces as closed cross join destinations as place on place.workspace_id = closed.id where closed.deleted_at is not null and closed.set_aside_at is null`;
  const some = sql`(select some.id from file_deliveries as some where some.destination_id in (${theirs}) limit ${DELETED_AT_ONCE})`;
  const deleted = await db
    .delete(fileDeliveries)
    .where(sql`${fileDeliveries.id} in ${some}`)
    .returning({ id: fileDeliveries.id });
  return deleted.length === DELETED_AT_ONCE;
}

/** How many of these envelopes are in the workspace of a destination. */
export const countEnvelopes = (
  db: Database,
  { workspaceId }: { workspaceId: number },
  ids: readonly number[],
): Promise<number> =>
  db.$count(envelopes, and(eq(envelopes.workspaceId, workspaceId), sql`${envelopes.id} in ${listed(ids)}`));

const PAGE = 500;

/** What continues deliveries, sealed, a page at a time, for a new key. */
export const readSealedDeliveries = (db: Database) =>
  pagesAfter(PAGE, (after) =>
    db
      .select({ id: fileDeliveries.id, sealed: sql<string>`${fileDeliveries.session}` })
      .from(fileDeliveries)
      .where(and(gt(fileDeliveries.id, after), isNotNull(fileDeliveries.session)))
      .orderBy(fileDeliveries.id)
      .limit(PAGE),
  );

/** Replaces what continues a delivery, unless it has changed since it was read. */
export async function replaceSealedDelivery(
  db: Database,
  { id, sealed }: { id: number; sealed: string },
  next: string,
): Promise<void> {
  await db
    .update(fileDeliveries)
    .set({ session: next })
    .where(and(eq(fileDeliveries.id, id), eq(fileDeliveries.session, sealed)));
}
