import {
  and,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { DestinationProblem } from "../../worker/contract/destinations";
import { LIMITS } from "../../worker/contract/limits";
import {
  type Channel,
  type DeliveryFailure,
  type NotificationKind,
  type NotificationPayload,
  type PayloadOf,
  UPDATES,
} from "../../worker/contract/notifications";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  destinations,
  envelopes,
  envelopeWatchers,
  notifications,
  users,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { isMember, type Member, workspacesOf } from "./members";
import { equals, valuesOf } from "./query-helpers";
import { fullName } from "./workspace-activity";

export type Notification = typeof notifications.$inferSelect;

/** That of a copy, whose kind is known at run time only, is what its original still has. */
type NewPayload<Kind extends NotificationKind> = [NotificationKind] extends [Kind]
  ? NotificationPayload
  : PayloadOf<Kind>;

/** A notification to send. `userId` may be SQL for an account that the same batch creates. */
export type NewNotification<Kind extends NotificationKind = NotificationKind> = {
  kind: Kind;
  channel: Channel;
  payload: NewPayload<Kind> | SQL<NewPayload<Kind>>;
  recipient: string | SQL<string>;
  userId: number | SQL<number> | null;
  envelopeId?: number | SQL<number> | null;
  dedupeKey: string | SQL<string>;
  createdAt: string;
  /** When it is due; at once by default. */
  nextAttemptAt?: string;
};

/** The account's e-mail address when the batch runs. */
export const accountEmail = (userId: number | SQL<number>) =>
  sql<string>`(select ${users.email} from ${users} where ${users.id} = ${userId})`;

/** The address of an envelope's recipient when the batch runs; the given one if there is none any more. */
export const recipientEmail = ({ id, customerEmail }: { id: number; customerEmail: string }) =>
  sql<string>`coalesce((select nullif(${envelopes.customerEmail}, '') from ${envelopes} where ${envelopes.id} = ${id}), ${customerEmail})`;

/** The address that the account has to confirm when the batch runs. */
export const unconfirmedEmail = (userId: number | SQL<number>) =>
  sql<string>`(select coalesce(${users.pendingEmail}, ${users.email}) from ${users} where ${users.id} = ${userId})`;

/** An address of somebody else, while the account exists. */
export const whileAccountExists = (userId: number, address: string) =>
  sql<string>`(select ${address} from ${users} where ${users.id} = ${userId})`;

/** Whether a batch failed because one of these found no account. */
export const isAccountMissing = (error: unknown) => violates(error, "not null", notifications.recipient);

/** The statement that queues a notification. A repeated `dedupeKey` is ignored. */
export function insertNotification<Kind extends NotificationKind>(
  db: Database,
  notification: NewNotification<Kind>,
): Statement {
  return db
    .insert(notifications)
    .values({ nextAttemptAt: notification.createdAt, ...notification })
    .onConflictDoNothing({ target: notifications.dedupeKey });
}

/** A payload whose values are read from other rows. */
type SelectedPayload<Kind extends NotificationKind> = {
  [Key in keyof PayloadOf<Kind>]: SQL | AnySQLiteColumn | string | null;
};

type SelectedAddress = { channel: Channel; recipient: AnySQLiteColumn };

/**
 * The columns of a queued notification for `insert … select`, which requires all of them in table order: a mail to each
 * selected account, or its message `to` somebody else. D1 accepts no raw statement in a batch.
 */
export function notificationColumns<Kind extends NotificationKind>(row: {
  envelopeId?: AnySQLiteColumn;
  kind: Kind;
  to?: SelectedAddress;
  payload: SelectedPayload<Kind>;
  dedupeKey: SQL;
  now: string;
}) {
  const { channel, recipient } = row.to ?? { channel: "email", recipient: users.email };
  const none = (column: string) => sql`null`.as(column);
  const payload = Object.entries(row.payload).flatMap(([key, value]) => [sql`${key}`, sql`${value}`]);
  return {
    id: none("id"),
    userId: users.id,
    envelopeId: row.envelopeId ?? none("envelope_id"),
    kind: sql`${row.kind}`.as("kind"),
    channel: sql`${channel}`.as("channel"),
    recipient,
    payload: sql`json_object(${sql.join(payload, sql`, `)})`.as("payload"),
    dedupeKey: row.dedupeKey.as("dedupe_key"),
    status: sql`'queued'`.as("status"),
    attempts: sql`0`.as("attempts"),
    nextAttemptAt: sql`${row.now}`.as("next_attempt_at"),
    claimedBy: none("claimed_by"),
    claimedUntil: none("claimed_until"),
    lastError: none("last_error"),
    failure: none("failure"),
    createdAt: sql`${row.now}`.as("created_at"),
    sentAt: none("sent_at"),
  };
}

export function insertFromEnvelopes<Kind extends NotificationKind>(
  db: Database,
  row: {
    kind: Kind;
    to?: SelectedAddress;
    dedupeKey: SQL;
    payload: SelectedPayload<Kind>;
    where: SQL | undefined;
    now: string;
  },
): Statement {
  const rows = db
    .select(notificationColumns({ ...row, envelopeId: envelopes.id }))
    .from(envelopes)
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(row.where);
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

/** Queues the notice of a submission for each watcher of the pending envelope but its assignee. */
export function insertForWatchers(
  db: Database,
  { token, createdAt, payload }: { token: string; createdAt: string; payload: PayloadOf<"submission"> },
): Statement {
  const rows = db
    .select(
      notificationColumns({
        envelopeId: envelopes.id,
        kind: "submission",
        payload,
        now: createdAt,
        dedupeKey: sql`'submission:' || ${envelopes.id} || ${`:${createdAt}:`} || ${users.id}`,
      }),
    )
    .from(envelopes)
    .innerJoin(envelopeWatchers, eq(envelopeWatchers.envelopeId, envelopes.id))
    .innerJoin(users, eq(users.id, envelopeWatchers.userId))
    .where(
      and(
        eq(envelopes.submissionToken, token),
        eq(envelopes.status, "pending"),
        ne(envelopes.userId, users.id),
        sql`exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${envelopes.workspaceId} and me.user_id = ${users.id})`,
      ),
    );
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

const OUTAGES = ["unreachable", "not_configured"] as const satisfies DeliveryFailure[];

/** Whether a queued notification waits for the end of an outage: one that its server has deferred waits for itself. */
export const waitsForOutage = (now: string | Placeholder) =>
  and(gt(notifications.nextAttemptAt, now), inArray(notifications.failure, OUTAGES));

/** Notifications that one statement makes due: others wait for it. */
const RELEASED_AT_ONCE = 2000;

/**
 * Makes all notifications due that wait for the end of an outage on this channel, and counts how often each was (`released`):
 * one that fails again and again although others get through waits longer each time, and uses up its attempts.
 * @param delays seconds before the second release and each further one
 * @param takeTurn waits for the caller's turn: many are then released in parts
 */
export async function releaseNotifications(
  db: Database,
  channel: Channel,
  now: string,
  { delays, takeTurn }: { delays: readonly number[]; takeTurn?: (() => Promise<void>) | undefined },
): Promise<void> {
  const before = sql`ifnull(${notifications.payload} ->> '$.released', 0)`;
  const delay = sql`${JSON.stringify([0, ...delays])} ->> min(${before}, ${delays.length})`;
  const waiting = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(sql`${notifications.status} = 'queued'`, waitsForOutage(now), eq(notifications.channel, channel)),
    );
  const release = db
    .update(notifications)
    .set({
      nextAttemptAt: sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, (${delay}) || ' seconds')`,
      attempts: sql`${before}`,
      payload: sql`json_set(${notifications.payload}, '$.released', ${before} + 1)`,
      failure: null,
    })
    .where(inArray(notifications.id, takeTurn ? waiting.limit(RELEASED_AT_ONCE) : waiting))
    .returning({ id: notifications.id });
  while ((await release).length === RELEASED_AT_ONCE) await takeTurn?.();
}

/** Whether a mail that was queued before this time waits because the mail server cannot be reached. */
export async function hasUnreachable(db: Database, before: string): Promise<boolean> {
  const [found] = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        sql`${notifications.status} = 'queued'`,
        equals(notifications, { channel: "email", failure: "unreachable" }),
        lte(notifications.createdAt, before),
      ),
    )
    .limit(1);
  return found !== undefined;
}

/** The values of a message that waits and that nobody is sending. */
export const UNCLAIMED = { status: "queued", claimedUntil: null } as const;

/** Deletes the messages that wait whose key is in this range, except claimed ones. */
export const deleteWaitingMails = (db: Database, from: string, until: string): Statement =>
  db
    .delete(notifications)
    .where(
      and(
        gt(notifications.dedupeKey, from),
        lt(notifications.dedupeKey, until),
        equals(notifications, UNCLAIMED),
      ),
    );

type Filter = {
  ids?: number[];
  dedupeKeys?: string[];
  kinds?: readonly Notification["kind"][];
  limit?: number;
};

const ownEnvelope = (member: Member, id: number) =>
  sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.id} = ${id} and ${isMember(envelopes.workspaceId, member)})`;

/** The notifications about one of the caller's envelopes, oldest first. Above the limit, the latest ones. */
export async function listNotifications(
  db: Database,
  member: Member,
  envelopeId: number,
  filter: Filter = {},
): Promise<Notification[]> {
  return (await selectNotifications(db, member, envelopeId, filter)).reverse();
}

/** The same, the latest first, for the batch that queues them. */
export const selectNotifications = (
  db: Database,
  member: Member,
  envelopeId: number,
  { ids, dedupeKeys, kinds, limit = LIMITS.pageMax }: Filter,
) =>
  db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.envelopeId, ownEnvelope(member, envelopeId)),
        ids && inArray(notifications.id, ids),
        // The plus keeps SQLite from reading by key, after which it would have to sort.
        dedupeKeys && inArray(sql`+${notifications.dedupeKey}`, dedupeKeys),
        kinds && inArray(notifications.kind, kinds),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit);

export const findNotificationToDeliver = (
  db: Database,
  { envelopeId, id }: { envelopeId: number; id: number },
) => db.select().from(notifications).where(equals(notifications, { envelopeId, id })).get();

/** An update to the recipient that is queued and that nobody is sending. */
const waiting = (member: Member, envelopeId: number) =>
  and(
    equals(notifications, { envelopeId: ownEnvelope(member, envelopeId), ...UNCLAIMED }),
    inArray(notifications.kind, UPDATES),
  );

/**
 * Deletes the reminders of an envelope that wait, as during an outage, except claimed ones: a new one replaces them, but not
 * somebody's note.
 */
export const deleteWaitingReminders = (db: Database, envelopeId: number): Statement =>
  db
    .delete(notifications)
    .where(
      and(
        equals(notifications, { envelopeId, kind: "reminder", ...UNCLAIMED }),
        sql`${notifications.payload} ->> '$.note' is null`,
      ),
    );

/** Whether the notification is one that `deleteWaiting` deletes. */
export const isWaiting = ({ kind, status, claimedUntil }: Notification): boolean =>
  UPDATES.some((update) => update === kind) && status === "queued" && claimedUntil === null;

/** Deletes the invitations and updates of an envelope that wait, except claimed ones. */
export const deleteWaiting = (db: Database, member: Member, envelopeId: number): Statement =>
  db.delete(notifications).where(waiting(member, envelopeId));

/**
 * Queues a failed notification again, with all attempts left. One that was sent, is being sent, or waits for its first
 * attempt stays as it is.
 */
export function requeueNotification(
  db: Database,
  member: Member,
  id: number,
  {
    envelopeId,
    recipient,
    userId,
    now,
  }: { envelopeId: number; recipient: string; userId: number; now: string },
): Statement {
  return db
    .update(notifications)
    .set({
      status: "queued",
      attempts: 0,
      userId,
      recipient,
      lastError: null,
      failure: null,
      nextAttemptAt: now,
    })
    .where(
      and(
        equals(notifications, { id, envelopeId: ownEnvelope(member, envelopeId) }),
        ne(notifications.status, "sent"),
        or(ne(notifications.status, "queued"), isNotNull(notifications.failure)),
        or(isNull(notifications.claimedUntil), lte(notifications.claimedUntil, now)),
      ),
    );
}

/** Queues the mail that a webhook was switched off: to the owners of its workspace, or to the account that it belongs to. */
export function insertWebhookOff(
  db: Database,
  { userId, workspaceId }: { userId: number; workspaceId: number | null },
  { host, dedupeKey, now }: { host: string; dedupeKey: string; now: string },
): Statement {
  const which = workspaceId === null ? eq(users.id, userId) : isEnabledOwner(workspaceId);
  return insertForAccounts(db, which, {
    kind: "webhook_off",
    payload: { workspaceId: sql`${workspaceId}`, host },
    dedupeKey,
    now,
  });
}

/** The statement that tells the owners of a destination's workspace that it does not take files; once since then. */
export const insertDestinationProblem = (
  db: Database,
  { id, workspaceId, name }: { id: number; workspaceId: number; name: string },
  {
    problem,
    reason,
    since,
    now,
  }: { problem: DestinationProblem; reason: string; since: string; now: string },
): Statement =>
  insertForAccounts(db, and(isEnabledOwner(workspaceId), problem === "failed" ? undefined : isActive(id)), {
    kind: "destination_problem",
    payload: {
      workspaceId: sql`${workspaceId}`,
      workspace: sql`(select ${workspaces.name} from ${workspaces} where ${workspaces.id} = ${workspaceId})`,
      ...{ name, problem, text: reason },
    },
    dedupeKey: `destination_problem:${id}:${problem}:${since}`,
    now,
  });

/** The statement that tells the owners of their workspaces that these destinations are paused. */
export function insertDestinationsPaused(db: Database, which: SQL, now: string): Statement {
  const rows = db
    .select(
      notificationColumns({
        kind: "destination_problem",
        payload: {
          ...{ workspaceId: workspaces.id, workspace: workspaces.name },
          ...{ name: destinations.name, problem: "paused", text: "" },
        },
        dedupeKey: sql`'destination_problem:' || ${destinations.id} || ${`:paused:${now}:`} || ${users.id}`,
        now,
      }),
    )
    .from(destinations)
    .innerJoin(workspaces, eq(workspaces.id, destinations.workspaceId))
    .innerJoin(
      workspaceMembers,
      and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.role, "owner")),
    )
    .innerJoin(users, eq(users.id, workspaceMembers.userId))
    .where(and(which, isNull(users.disabledAt)));
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

/** Of several attempts that fail at once, only the first one finds it so. */
const isActive = (destinationId: number) =>
  sql`exists (select 1 from destinations where destinations.id = ${destinationId} and destinations.state = 'active')`;

/** Whether the account owns the workspace and is enabled. */
const isEnabledOwner = (workspaceId: number) =>
  and(
    isNull(users.disabledAt),
    sql`exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${workspaceId} and me.user_id = ${users.id} and me.role = 'owner')`,
  );

type AccountMails<Kind extends NotificationKind> = {
  kind: Kind;
  payload: SelectedPayload<Kind>;
  /** Random by default. */
  dedupeKey?: string;
  now: string;
};

/** The statement that queues a mail to each enabled owner of a workspace except this one. */
export const insertForOwners = <Kind extends NotificationKind>(
  db: Database,
  { workspaceId, except }: { workspaceId: number; except: number },
  mails: AccountMails<Kind>,
): Statement => insertForAccounts(db, and(isEnabledOwner(workspaceId), ne(users.id, except)), mails);

/** The same to an account, if the condition holds. */
export const insertForAccount = <Kind extends NotificationKind>(
  db: Database,
  { userId, condition }: { userId: number; condition: SQL },
  mails: AccountMails<Kind>,
): Statement => insertForAccounts(db, and(eq(users.id, userId), condition), mails);

function insertForAccounts<Kind extends NotificationKind>(
  db: Database,
  which: SQL | undefined,
  { dedupeKey = crypto.randomUUID(), ...mail }: AccountMails<Kind>,
): Statement {
  const key = sql`${dedupeKey} || ':' || ${users.id}`;
  const rows = db
    .select(notificationColumns({ ...mail, dedupeKey: key }))
    .from(users)
    .where(which);
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

/**
 * Queues the mail that webhooks were switched off because somebody who knows them is gone: one to each other owner of
 * their workspaces.
 * @param known which webhooks, of those that are still switched on
 */
export function insertWebhooksOff(
  db: Database,
  userId: number,
  { known, now }: { known: SQL | undefined; now: string },
): Statement {
  const theirs = valuesOf(
    webhooks.id,
    and(eq(webhooks.workspaceId, workspaces.id), eq(webhooks.enabled, true), known),
  );
  const name = sql`(select coalesce(${fullName("gone")}, gone.email) from ${users} as gone where gone.id = ${userId})`;
  const rows = db
    .select(
      notificationColumns({
        kind: "webhooks_off",
        payload: { workspaceId: workspaces.id, workspace: workspaces.name, name },
        dedupeKey: sql`${`webhooks_off:${userId}:${now}:`} || ${workspaces.id} || ':' || ${users.id}`,
        now,
      }),
    )
    .from(users)
    .innerJoin(
      workspaceMembers,
      and(eq(workspaceMembers.userId, users.id), eq(workspaceMembers.role, "owner")),
    )
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .where(
      and(
        inArray(workspaceMembers.workspaceId, workspacesOf({ userId, role: "viewer" })),
        ne(users.id, userId),
        isNull(users.disabledAt),
        exists(theirs),
      ),
    );
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}

/**
 * The statement that tells an account who has joined workspaces of its own since, of which another address was told; must
 * follow the change of its address.
 */
export function insertJoinedSince(
  db: Database,
  userId: number,
  { since, now }: { since: string; now: string },
): Statement {
  const { userId: joined, workspaceId, createdAt } = workspaceMembers;
  const rows = db
    .select(
      notificationColumns({
        kind: "member_joined",
        payload: {
          ...{ workspaceId, workspace: workspaces.name },
          name: sql`(select coalesce(${fullName("person")}, person.email) from ${users} as person where person.id = ${joined})`,
        },
        dedupeKey: sql`${`member_joined:${userId}:${now}:`} || ${workspaceId} || ':' || ${joined}`,
        now,
      }),
    )
    .from(users)
    .innerJoin(workspaceMembers, inArray(workspaceId, workspacesOf({ userId, role: "owner" })))
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .where(and(eq(users.id, userId), ne(joined, userId), gte(createdAt, since)));
  return db.insert(notifications).select(rows).onConflictDoNothing({ target: notifications.dedupeKey });
}
