import { and, eq, gt, inArray, isNotNull, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { destinations, envelopes, fileDeliveries } from "../schema";
import { hasManyEvents, insertEventsWhere } from "./envelope-events";
import { type Claim, inTurn, placeInTurn } from "./fair-claims";
import { type FileDelivery, isWaiting } from "./file-deliveries";
import { isOpenWorkspace } from "./members";
import { hasRows } from "./query-helpers";

/** Destinations take turns as accounts do. */
export type ClaimedFile = FileDelivery & { userId: number };

/** Files of one account that are sent at a time: its destinations may all hang, and others have slots left. */
const ACCOUNT_SHARE = 3;

/**
 * Claims deliveries in turn over the destinations, those of each account after the first ones of all others: clean files, and
 * the pages of a submission once its files are done. Of a destination that was full or has to be connected again, one at a time.
 */
export async function claimFiles(db: Database, claim: Claim): Promise<ClaimedFile[]> {
  const { claimedBy, now, claimedUntil, turn } = claim;
  const isDue = sql`item.state = 'waiting' and item.next_attempt_at <= ${now} and (item.claimed_until is null or item.claimed_until <= ${now})`;
  const isReady = sql`iif(item.submission_id is null,
    not exists (select 1 from file_deliveries as other where other.envelope_id = item.envelope_id and other.destination_id = item.destination_id and other.submitted_at = item.submitted_at and other.submission_id is not null and other.state = 'waiting'),
    not exists (select 1 from submissions as file where file.id = item.submission_id and file.scan_due_at is not null and file.deleted_at is null))`;
  const isRunning = sql`exists (select 1 from file_deliveries as busy where busy.destination_id = ${destinations.id} and busy.state = 'waiting' and busy.claimed_until > ${now})`;
  const mayTry = sql`${destinations.settings} is not null and ${isOpenWorkspace(destinations.workspaceId)} and (${destinations.state} = 'active' or (${destinations.retryAt} <= ${now} and not ${isRunning}))`;
  const owner = sql`ifnull(${destinations.connectedBy}, -${destinations.workspaceId})`;
  const running = JSON.stringify(turn.running);
  const chosen = sql`(
    with busy as (
      select ${owner} as owner, sum(sent.value) as count from json_each(${running}) as sent join ${destinations} on ${destinations.id} = cast(sent.key as integer) group by 1
    ), waiting as (
      select due.id, ${destinations.id} as account, ${owner} as owner, iif(${destinations.state} = 'active', ${turn.share}, 1) as share,
        row_number() over (partition by ${destinations.id} order by due.id) as nth
      from ${destinations} cross join file_deliveries as due on due.id in (
        select item.id from file_deliveries as item where item.destination_id = ${destinations.id} and ${isDue} and ${isReady} order by item.id limit ${turn.share})
      where ${mayTry}
    ), candidate as (
      select id, account, owner, share, ${placeInTurn(running, sql`nth`)} as place from waiting
    ), of_account as (
      select id, account, place, row_number() over (partition by owner order by ${inTurn(turn.after)})
        + ifnull((select count from busy where busy.owner = candidate.owner), 0) as nth from candidate where place <= share
    )
    select id from of_account where nth <= ${ACCOUNT_SHARE} order by nth, ${inTurn(turn.after)} limit ${turn.limit})`;
  const rows = await db
    .update(fileDeliveries)
    .set({
      claimedBy,
      claimedUntil,
      attempts: sql`${fileDeliveries.attempts} + 1`,
      startedAt: sql`coalesce(${fileDeliveries.startedAt}, ${now})`,
    })
    .where(sql`${fileDeliveries.id} in ${chosen}`)
    .returning();
  return rows.map((row) => ({ ...row, userId: row.destinationId })).sort((one, other) => one.id - other.id);
}

type Claimed = Pick<FileDelivery, "id" | "claimedBy">;
const isClaimed = ({ id, claimedBy }: Claimed) =>
  and(eq(fileDeliveries.id, id), eq(fileDeliveries.claimedBy, claimedBy ?? ""));

/** Stores the progress of a claimed delivery, or extends its claim. @returns whether it is still claimed, and may go there */
export async function updateClaimed(
  db: Database,
  claimed: Claimed,
  changes: { session?: string; claimedUntil?: string },
): Promise<boolean> {
  // A destination that is deleted with very much goes into a closed workspace.
  const isOpen = sql`exists (select 1 from ${destinations} as place where place.id = ${fileDeliveries.destinationId} and ${isOpenWorkspace(sql`place.workspace_id`)})`;
  const updated = db
    .update(fileDeliveries)
    .set(changes)
    .where(and(isClaimed(claimed), isOpen));
  return hasRows(updated.returning({ id: fileDeliveries.id }));
}

/**
 * What stands there before the paths of a destination: the same for two of one place, whichever workspace they belong to. A
 * query or fragment of a WebDAV address is not sent. The index `destinations_place` has the same expression.
 */
const placeOf = (table: string) => {
  const url = `${table}.settings ->> '$.url'`;
  const address = `substr(${url}, 1, min(instr((${url}) || '?', '?'), instr((${url}) || '#', '#')) - 1)`;
  return sql.raw(
    `lower(rtrim(${table}.kind || ':/' || coalesce(${address}, ${table}.settings ->> '$.path', json_remove(${table}.settings, '$.placedBy') || coalesce(${table}.account, '')), '/')) || '/'`,
  );
};

/**
 * Takes a path for a claimed delivery, unless another one is on its way there, of any destination: some servers would let both
 * have it, and lose one. @returns whether it has the path
 */
export const takePath = (
  db: Database,
  claimed: Claimed & Pick<FileDelivery, "destinationId">,
  path: string,
): Promise<boolean> => {
  // What the path is from each of the places that it is in, once: a destination may have a hundred thousand that wait. An index
  // finds the places among its folders.
  const isTaken = sql`exists (
    with recursive whole(path) as (select ${placeOf("own")} || ${path} from destinations as own where own.id = ${claimed.destinationId}),
      folder(path, below) as (select '', path from whole union all
        select path || substr(below, 1, instr(below, '/')), substr(below, instr(below, '/') + 1) from folder where instr(below, '/')),
      target(id, path) as materialized (
        select place.id, below from folder cross join destinations as place on ${placeOf("place")} = lower(folder.path))
    select 1 from target cross join file_deliveries as other on other.destination_id = target.id
    where other.state = 'waiting' and other.id <> ${claimed.id} and other.path = target.path collate nocase)`;
  return hasRows(
    db
      .update(fileDeliveries)
      .set({ path })
      .where(and(isClaimed(claimed), not(isTaken)))
      .returning({ id: fileDeliveries.id }),
  );
};

export type FileOutcome = Pick<FileDelivery, "state" | "failure" | "failureText"> &
  Partial<Pick<FileDelivery, "attempts" | "nextAttemptAt" | "path" | "url">>;

/** The statement that records how an attempt ended, unless another process has claimed the delivery meanwhile. */
export const recordFile = (db: Database, claimed: Claimed, outcome: FileOutcome, now: string): Statement =>
  db
    .update(fileDeliveries)
    .set({
      ...outcome,
      claimedBy: null,
      claimedUntil: null,
      ...(outcome.state !== "waiting" && { stateAt: now, nextAttemptAt: null }),
      ...(outcome.state === "delivered" && { deliveredAt: now }),
    })
    .where(isClaimed(claimed));

/** Deliveries that one statement delays: others wait for it. */
const DELAYED_AT_ONCE = 2000;

/** Lets the other deliveries of a destination wait until then, because it does not take them now. */
export async function delayOthers(
  db: Database,
  { id, destinationId }: Pick<FileDelivery, "id" | "destinationId">,
  { until, takeTurn }: { until: string; takeTurn: (() => Promise<void>) | undefined },
): Promise<void> {
  const delay = (which: SQL | undefined) =>
    db.update(fileDeliveries).set({ nextAttemptAt: until }).where(which);
  const isOther = and(
    eq(fileDeliveries.destinationId, destinationId),
    isWaiting,
    lt(fileDeliveries.nextAttemptAt, until),
    isNull(fileDeliveries.claimedUntil),
    not(eq(fileDeliveries.id, id)),
  );
  if (!takeTurn) {
    await delay(isOther);
    return;
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    await takeTurn();
    const some = db
      .select({ id: fileDeliveries.id })
      .from(fileDeliveries)
      .where(and(isOther, gt(fileDeliveries.id, after)))
      .orderBy(fileDeliveries.id)
      .limit(DELAYED_AT_ONCE);
    const delayed = await delay(inArray(fileDeliveries.id, some)).returning({ id: fileDeliveries.id });
    after = delayed.length < DELAYED_AT_ONCE ? undefined : Math.max(...delayed.map((one) => one.id));
  }
}

/** What a destination gets of a submission. */
type Delivered = Pick<FileDelivery, "destinationId" | "envelopeId" | "submittedAt">;

/** The statements that record in the timeline that a destination has all of a submission; must follow `recordFile`. */
export function recordDelivered(
  db: Database,
  { destinationId, envelopeId, submittedAt }: Delivered,
  { detail, now }: { detail: string; now: string },
): Statement[] {
  const isHere = sql`exists (select 1 from destinations as place where place.id = ${destinationId} and place.workspace_id = ${envelopes.workspaceId})`;
  const isLast = sql`not exists (select 1 from ${fileDeliveries} where ${fileDeliveries.envelopeId} = ${envelopeId} and ${fileDeliveries.destinationId} = ${destinationId} and ${fileDeliveries.submittedAt} = ${submittedAt} and ${fileDeliveries.state} <> 'delivered')`;
  return [
    db.update(destinations).set({ lastDeliveredAt: now }).where(eq(destinations.id, destinationId)),
    insertEventsWhere(db, and(eq(envelopes.id, envelopeId), isLast, isHere, not(hasManyEvents(envelopeId))), {
      kind: "delivered",
      actor: "service",
      address: null,
      detail,
      at: now,
    }),
  ];
}

/** The names of delivered files of a submission, for its manifest. */
export const listDeliveredPaths = (db: Database, { destinationId, envelopeId, submittedAt }: Delivered) =>
  db
    .select({ submissionId: fileDeliveries.submissionId, path: fileDeliveries.path })
    .from(fileDeliveries)
    .where(
      and(
        eq(fileDeliveries.envelopeId, envelopeId),
        eq(fileDeliveries.destinationId, destinationId),
        eq(fileDeliveries.submittedAt, submittedAt),
        eq(fileDeliveries.state, "delivered"),
        isNotNull(fileDeliveries.submissionId),
      ),
    );
