import { and, eq, gt, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type DestinationSettings, MAX_DESTINATIONS } from "../../worker/contract/destinations";
import { type Database, runBatchAndRead, type Statement } from "../client";
import { violates } from "../errors";
import { destinationFolders, destinations, fileDeliveries, sessions, workspaces } from "../schema";
import { onlyWhile } from "./guard";
import { isMember, type Member, workspacesOf } from "./members";
import { insertDestinationsPaused } from "./notifications";
import { beginsWith, hasRows, pagesAfter, pick } from "./query-helpers";
import { workspacesLately } from "./workspace-activity";

export type Destination = typeof destinations.$inferSelect;
export type NewDestination = Omit<typeof destinations.$inferInsert, "id">;

/** How many deliveries are counted: with thousands of them, the number of all says no more. */
const COUNTED = sql.raw("10000");

const countOf = (state: "waiting" | "failed") =>
  sql<number>`(select count(*) from (select 1 from file_deliveries as sent where sent.destination_id = destinations.id and sent.state = ${sql.raw(`'${state}'`)} limit ${COUNTED}))`;

/** Of the files that wait, those that were tried in vain. */
const retried = sql<number>`(select count(some.failure) from (select tried.failure from file_deliveries as tried where tried.destination_id = destinations.id and tried.state = 'waiting' limit ${COUNTED}) as some)`;

const listed = { destination: destinations, waiting: countOf("waiting"), retried, failed: countOf("failed") };

/** Destinations whose deliveries one statement counts: others wait for it. A workspace has no more. */
const PART = 5;

/** The destinations of the workspaces that the caller owns, or of one of them, with the number of their deliveries. */
export async function listDestinations(
  db: Database,
  member: Member,
  workspaceId?: number,
  takeTurn?: () => Promise<void>,
) {
  const mine = and(
    sql`${destinations.workspaceId} in ${workspacesOf(member)}`,
    workspaceId === undefined ? undefined : eq(destinations.workspaceId, workspaceId),
  );
  const found = [];
  for (let after = 0, isLast = false; !isLast; ) {
    const part = await db
      .select(listed)
      .from(destinations)
      .where(and(mine, gt(destinations.id, after)))
      .orderBy(destinations.id)
      .limit(PART);
    found.push(...part);
    after = part.at(-1)?.destination.id ?? 0;
    isLast = part.length < PART;
    if (!isLast) await takeTurn?.();
  }
  return found;
}

const selectListed = (db: Database, member: Member, id: number) =>
  db.select(listed).from(destinations).where(own(member, id));

export async function findListedDestination(db: Database, member: Member, id: number) {
  const rows = await selectListed(db, member, id);
  return rows[0];
}

const own = (member: Member, id: number): SQL =>
  sql`${eq(destinations.id, id)} and ${isMember(destinations.workspaceId, member)}`;

/** Of any workspace, for those who deliver. */
export const findDestination = (db: Database, id: number): Promise<Destination | undefined> =>
  db.select().from(destinations).where(eq(destinations.id, id)).get();

/** Whether the session that changes where files go still is: it may end while the place is tried. */
const isSignedIn = ({ userId }: Member, sid: string) =>
  sql`exists (select 1 from ${sessions} where ${sessions.sid} = ${sid} and ${sessions.userId} = ${userId})`;

/**
 * Creates a destination of a workspace that the caller owns, with `recorded`. Fails if it has as many as it may, or if it is
 * not the caller's: see `isDestinationRejected`.
 */
export async function insertDestination(
  db: Database,
  member: Member,
  row: NewDestination,
  { sid, recorded }: { sid: string; recorded: Statement[] },
): Promise<Destination> {
  const count = sql`(select count(*) from ${destinations} where ${destinations.workspaceId} = ${row.workspaceId})`;
  const isPossible = sql`${isMember(row.workspaceId, member)} and ${isSignedIn(member, sid)} and ${count} < ${MAX_DESTINATIONS}`;
  const insert = db
    .insert(destinations)
    .values({ ...row, workspaceId: onlyWhile(isPossible, Number(row.workspaceId)) })
    .returning();
  const [[inserted]] = await db.batch([insert, ...recorded]);
  if (!inserted) throw new Error("The destination was not inserted");
  return inserted;
}

/** Those of all workspaces that wait for somebody, for the operator. */
export const listSuspendedDestinations = (db: Database) =>
  db
    .select({
      name: destinations.name,
      kind: destinations.kind,
      workspace: workspaces.name,
      state: destinations.state,
      reason: destinations.stateReason,
    })
    .from(destinations)
    .innerJoin(workspaces, eq(workspaces.id, destinations.workspaceId))
    .where(inArray(destinations.state, ["reconnect", "full"]))
    .orderBy(destinations.id);

/** The folders of this machine that files are delivered to. */
export const listFolders = (db: Database) =>
  db
    .select({ name: destinations.name, workspace: workspaces.name, settings: destinations.settings })
    .from(destinations)
    .innerJoin(workspaces, eq(workspaces.id, destinations.workspaceId))
    .where(and(eq(destinations.kind, "folder"), ne(destinations.state, "paused")))
    .orderBy(destinations.id);

/** Whether another destination of the workspace has the same account there, whose grants end together. */
export const hasSameAccount = (
  db: Database,
  { id, workspaceId, kind, account }: Destination,
): Promise<boolean> =>
  hasRows(
    db
      .select({ id: destinations.id })
      .from(destinations)
      .where(
        and(
          ne(destinations.id, id),
          eq(destinations.workspaceId, workspaceId),
          eq(destinations.kind, kind),
          eq(destinations.account, account ?? ""),
        ),
      )
      .limit(1),
  );

export const countDestinations = (db: Database, workspaceId: number): Promise<number> =>
  db.$count(destinations, eq(destinations.workspaceId, workspaceId));

/** Whether a destination was not inserted: there are too many already, or the caller is no owner or signed in any more. */
export const isDestinationRejected = (error: unknown) =>
  violates(error, "not null", destinations.workspaceId);

/** Whether settings or credentials that stay were changed since they were read: they do not belong to the new ones. */
export const isDestinationChanged = (error: unknown) => violates(error, "not null", destinations.kind);

/**
 * Changes one of the caller's destinations, with `recorded`. Fails if the session has ended, see `isDestinationRejected`, or
 * what `stays` has changed, see `isDestinationChanged`.
 * @returns what has been changed; undefined if it is not the caller's
 */
export async function updateDestination(
  db: Database,
  member: Member,
  id: number,
  changes: Partial<NewDestination>,
  { sid, recorded, stays }: { sid: string; recorded: Statement[]; stays?: Stays | undefined },
) {
  const workspaceId = onlyWhile(isSignedIn(member, sid), sql`${destinations.workspaceId}`);
  const kind = onlyWhile(stays && isAsRead(stays), sql`${destinations.kind}`);
  const update = db
    .update(destinations)
    .set({ ...changes, workspaceId, kind })
    .where(own(member, id));
  const [changed] = await runBatchAndRead(db, [update, ...recorded], selectListed(db, member, id));
  return changed;
}

type Stays = Partial<Pick<Destination, "settings" | "credentials">>;

const isAsRead = ({ settings, credentials }: Stays) =>
  and(
    settings === undefined
      ? undefined
      : sql`${destinations.settings} is ${settings === null ? null : JSON.stringify(settings)}`,
    credentials === undefined ? undefined : sql`${destinations.credentials} is ${credentials}`,
  );

/** The statement that lets deliveries of a destination begin again, at another place. */
export const restartDeliveries = (db: Database, id: number): Statement =>
  db.update(fileDeliveries).set({ session: null }).where(eq(fileDeliveries.destinationId, id));

/** The statement that forgets the folders of a destination. */
export const forgetFolders = (db: Database, id: number): Statement =>
  db.delete(destinationFolders).where(eq(destinationFolders.destinationId, id));

/**
 * Deletes a destination with its secrets, and `recorded`. It moves with its deliveries into a closed workspace, of which the job
 * of deletions deletes them in parts. @returns whether it existed
 */
export async function closeDestination(
  db: Database,
  member: Member,
  id: number,
  { recorded, now }: { recorded: Statement[]; now: string },
): Promise<boolean> {
  const { userId } = member;
  const exists = sql`exists (select 1 from ${destinations} where ${own(member, id)})`;
  const closed = sql`(select max(mine.id) from ${workspaces} as mine where mine.user_id = ${userId} and mine.deleted_at = ${now})`;
  const [, rows] = await db.batch([
    db.run(
      sql`insert into ${workspaces} (name, user_id, created_at, updated_at, deleted_at) select '', ${userId}, ${now}, ${now}, ${now} where ${exists}`,
    ),
    db
      .update(destinations)
      .set({ ...PAUSED, credentials: null, workspaceId: closed })
      .where(own(member, id))
      .returning({ id: destinations.id }),
    ...recorded,
  ]);
  return rows.length > 0;
}

/** Deletes a destination with its secrets and deliveries, and `recorded`. @returns whether it existed */
export async function deleteDestination(
  db: Database,
  member: Member,
  id: number,
  recorded: Statement[],
): Promise<boolean> {
  const deletion = db.delete(destinations).where(own(member, id)).returning({ id: destinations.id });
  const [rows] = await db.batch([deletion, ...recorded]);
  return rows.length > 0;
}

/**
 * Replaces sealed credentials by renewed ones, unless somebody else has done so meanwhile.
 * @returns the sealed ones that are stored then
 */
export async function renewCredentials(
  db: Database,
  id: number,
  { from, to }: { from: string; to: string },
): Promise<string | null> {
  const [, rows] = await db.batch([
    db
      .update(destinations)
      .set({ credentials: to })
      .where(and(eq(destinations.id, id), eq(destinations.credentials, from))),
    db.select({ credentials: destinations.credentials }).from(destinations).where(eq(destinations.id, id)),
  ]);
  return rows[0]?.credentials ?? null;
}

/** The statement that makes a destination active again after it was full or had to be connected again. */
export const activateDestination = (db: Database, id: number): Statement =>
  db
    .update(destinations)
    .set({ state: "active", stateReason: null, retryAt: null })
    .where(and(eq(destinations.id, id), isNotNull(destinations.retryAt)));

/** The statement that adds what a destination has asked to store to its settings. */
export const addSettings = (db: Database, id: number, added: DestinationSettings): Statement =>
  db
    .update(destinations)
    .set({ settings: sql`json_patch(${destinations.settings}, ${JSON.stringify(added)})` })
    .where(eq(destinations.id, id));

type Retry = { reason: string; retryAt: string };

/** The statement that makes deliveries of a destination wait, unless somebody has paused it meanwhile. */
export const suspendDestination = (
  db: Database,
  id: number,
  { state, reason, retryAt, updatedAt }: Pick<Destination, "state" | "updatedAt"> & Retry,
): Statement =>
  db
    .update(destinations)
    .set({ state, stateReason: reason, retryAt })
    .where(
      and(
        eq(destinations.id, id),
        // Otherwise it was changed or connected again after the attempt began.
        eq(destinations.updatedAt, updatedAt),
        or(eq(destinations.state, "active"), isNotNull(destinations.retryAt)),
      ),
    );

const PAUSED = { state: "paused", stateReason: null, retryAt: null } as const;

/** The statements that pause all destinations of an instance that was copied: two must not both deliver. */
export const pauseDestinations = (db: Database): Statement[] => [
  db.update(destinations).set(PAUSED),
  db.update(fileDeliveries).set({ claimedBy: null, claimedUntil: null, session: null }),
];

/**
 * The statements that pause what an account has connected, or changed last: who did so may not have been its owner. The owners
 * of the workspaces are told.
 * @param workspaceId the only one that is meant
 */
export function pauseDestinationsOf(
  db: Database,
  userId: number,
  now: string,
  workspaceId?: number,
): Statement[] {
  const isTheirs = sql`(${destinations.connectedBy} = ${userId} or ${destinations.settings} ->> '$.placedBy' = ${String(userId)})`;
  const theirs = sql`${destinations.workspaceId} in ${workspacesLately(userId, now, workspaceId)} and ${isTheirs} and ${destinations.state} <> 'paused'`;
  return [insertDestinationsPaused(db, theirs, now), db.update(destinations).set(PAUSED).where(theirs)];
}

/** The folders of a destination by their ids there. */
export const folderIdsOf = (db: Database, destinationId: number) => ({
  async find(path: string): Promise<string | undefined> {
    const found = await db.select().from(destinationFolders).where(folderAt(destinationId, path)).get();
    return found?.folderId;
  },
  /** @returns the id that is stored then: another process's if it was first */
  async save(path: string, folderId: string): Promise<string> {
    const insert = db
      .insert(destinationFolders)
      .values({ destinationId, path, folderId })
      .onConflictDoNothing();
    const [, rows] = await db.batch([
      insert,
      db.select().from(destinationFolders).where(folderAt(destinationId, path)),
    ]);
    return rows[0]?.folderId ?? folderId;
  },
  async forget(path: string): Promise<void> {
    await db
      .delete(destinationFolders)
      .where(
        and(
          eq(destinationFolders.destinationId, destinationId),
          or(eq(destinationFolders.path, path), beginsWith(destinationFolders.path, `${path}/`)),
        ),
      );
  },
});

const folderAt = (destinationId: number, path: string) =>
  and(eq(destinationFolders.destinationId, destinationId), eq(destinationFolders.path, path));

const PAGE = 500;

/** All sealed credentials, a page at a time, for a new key. */
export const readSealedDestinations = (db: Database) =>
  pagesAfter(PAGE, (after) =>
    db
      .select({
        ...pick(destinations, "id", "workspaceId"),
        sealed: sql<string>`${destinations.credentials}`,
      })
      .from(destinations)
      .where(and(gt(destinations.id, after), isNotNull(destinations.credentials)))
      .orderBy(destinations.id)
      .limit(PAGE),
  );
