import { and, desc, eq, exists, inArray, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Database, runBatchAndRead, type Statement } from "../client";
import { violates } from "../errors";
import { apiTokens, users, webhookDeliveries, webhooks } from "../schema";
import { isBelowLimit, isUnchanged, type Ownership, ownershipOf } from "./account-guards";
import { type Condition, onlyWhile } from "./guard";
import { hasEnabledOwner, type Member, workspacesOf } from "./members";
import { insertWebhooksOff } from "./notifications";
import { equals, prepared, valuesOf } from "./query-helpers";
import type { User } from "./users";
import { deleteIdleSnapshots, isPending, lastEventId, moveCursor, ownWebhooks } from "./webhook-deliveries";
import { ownWorkspace } from "./workspaces";

export type Webhook = typeof webhooks.$inferSelect;
type NewWebhook = Pick<Webhook, "url" | "events" | "description" | "secret" | "createdAt" | "updatedAt"> & {
  workspaceId: number | null;
};

const anyWebhook = prepared((db) =>
  db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.enabled, true)).limit(1).prepare(),
);

export async function hasWebhooks(db: Database): Promise<boolean> {
  return (await anyWebhook(db).all()).length > 0;
}

/** The caller's webhooks and those of the workspaces that they own, newest first. */
export const listWebhooks = (db: Database, member: Member) =>
  db.select().from(webhooks).where(ownWebhooks(member)).orderBy(desc(webhooks.id));

export const countWebhooks = (db: Database, userId: number): Promise<number> =>
  db.$count(webhooks, eq(webhooks.userId, userId));

export const findWebhook = (db: Database, member: Member, id: number) =>
  db.select().from(webhooks).where(own(member, id)).get();

/** A webhook whose messages may be delivered: it is switched on, and its account or an owner of its workspace is enabled. */
export const findWebhookToDeliver = (db: Database, id: number) =>
  db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.enabled, true), hasEnabledReader))
    .get();

const ofEnabledAccount = exists(
  valuesOf(users.id, and(eq(users.id, webhooks.userId), isNull(users.disabledAt))),
);

/** Whether somebody enabled can see the row's webhook: its account or, of a workspace's, any owner. */
export const hasEnabledReader = sql`case when ${webhooks.workspaceId} is null then ${ofEnabledAccount} else ${hasEnabledOwner(webhooks.workspaceId)} end`;

/** The account that changes a webhook, and the API token it uses, if any. */
export type Owner = Pick<User, "id"> & Ownership & { apiTokenId: number | null; member: Member };

/**
 * Whether the account's password, address and verification are unchanged since the call was authorized, and the token is
 * not revoked: a reset, a takeover, "This wasn't me" or the token's end switches webhooks off, and a concurrent
 * call must not add one afterwards.
 */
const isUnchangedOwner = (db: Database, { id, apiTokenId, ...account }: Owner, ...conditions: Condition[]) =>
  isUnchanged(db, id, { ...ownershipOf(account), apiTokenId: apiTokenId ?? undefined }, ...conditions);

/**
 * Creates a webhook for events from now on. Fails if the account already has `max` of them or has changed, see
 * `isWebhookRejected`.
 */
export async function insertWebhook(
  db: Database,
  owner: Owner,
  webhook: NewWebhook,
  { max, recorded }: { max: number; recorded: Statement[] },
): Promise<Webhook> {
  const { workspaceId } = webhook;
  const workspace = workspaceId === null ? null : ownWorkspace(owner.member, workspaceId);
  // Without a workspace, it would be for all of the account's.
  const exists = workspace === null ? [] : [sql`${workspace} is not null`];
  const noneYet = sql`not exists (select 1 from ${webhooks} where ${webhooks.enabled} = 1)`;
  const [, [row]] = await db.batch([
    // Events from before the webhook are never delivered.
    moveCursor(db, noneYet),
    db
      .insert(webhooks)
      .values({
        ...webhook,
        madeBy: owner.id,
        secretSeenBy: owner.id,
        userId: onlyWhile(
          isUnchangedOwner(db, owner, isBelowLimit(webhooks, owner.id, max), ...exists),
          owner.id,
        ),
        apiTokenId: owner.apiTokenId,
        workspaceId: workspace,
        sinceEventId: lastEventId,
      })
      .returning(),
    ...recorded,
  ]);
  if (!row) throw new Error("The webhook was not inserted");
  return row;
}

/** Whether a webhook was not inserted because the account already has the maximum, or has changed. */
export const isWebhookRejected = (error: unknown) => violates(error, "not null", webhooks.userId);

type Secret = "secret" | "previousSecret" | "madeBy" | "secretSeenBy";
type Changes = Partial<Omit<Webhook, "id" | "createdAt" | "sinceEventId" | Secret>> & {
  sinceEventId?: SQL<number>;
  madeBy?: number | SQL<number>;
} & Partial<Omit<ReturnType<typeof withOwnSecret>, "madeBy">>;

/** What switching a webhook on changes, if its secret is known to somebody who is gone: it gets this one. */
export function withOwnSecret({ id }: Owner, secret: string) {
  const ifKnown = <T>(changed: SQL<T>, column: SQLiteColumn) =>
    sql<T>`iif(${webhooks.secretSeenBy} is null, ${changed}, ${column})`;
  return {
    secret: ifKnown<string>(sql`${secret}`, webhooks.secret),
    previousSecret: ifKnown<string | null>(sql`null`, webhooks.previousSecret),
    madeBy: ifKnown<number>(sql`${id}`, webhooks.madeBy),
    secretSeenBy: ifKnown<number>(sql`${id}`, webhooks.secretSeenBy),
  };
}

/**
 * Changes the webhook, in a batch with the statements that come before.
 * @returns the changed webhook; undefined if it no longer exists or its owner's account has changed
 */
export async function updateWebhook(
  db: Database,
  owner: Owner,
  id: number,
  changes: Changes,
  before: Statement[] = [],
): Promise<Webhook | undefined> {
  const update = db
    .update(webhooks)
    .set(changes)
    .where(ownedBy(db, owner, id))
    .returning();
  return (await runBatchAndRead(db, before, update))[0];
}

/** Replaces the secret. The previous one, as stored at that time, also signs for a while, unless somebody gone knows it. */
export const replaceWebhookSecret = (
  db: Database,
  owner: Owner,
  id: number,
  { secret, until, now }: { secret: string; until: string; now: string },
) =>
  db
    .update(webhooks)
    .set({
      secret,
      previousSecret: sql`iif(${webhooks.secretSeenBy} is null, null, ${webhooks.secret})`,
      secretSeenBy: owner.id,
      previousSecretUntil: until,
      // Whoever signs in does not take it over from a colleague's token, which has chosen its address.
      apiTokenId:
        owner.apiTokenId ?? sql`iif(${webhooks.userId} = ${owner.id}, null, ${webhooks.apiTokenId})`,
      userId: sql`iif(${webhooks.workspaceId} is null, ${webhooks.userId}, ${owner.id})`,
      updatedAt: now,
    })
    .where(ownedBy(db, owner, id))
    .returning()
    .get();

/** The statement that deletes previous secrets that no longer sign. */
export const deletePreviousSecrets = (db: Database, now: string): Statement =>
  db
    .update(webhooks)
    .set({ previousSecret: null, previousSecretUntil: null })
    .where(lte(webhooks.previousSecretUntil, now));

/** The statements that switch a webhook off and cancel its waiting deliveries. */
export const switchOffWebhook = (db: Database, member: Member, id: number, now: string): Statement[] =>
  switchOff(db, own(member, id), now);

/** The same for a webhook whose deliveries have failed for too long. */
export const switchOffFailingWebhook = (db: Database, id: number, now: string): Statement[] =>
  switchOff(db, eq(webhooks.id, id), now);

/**
 * The statements that switch off all webhooks of the account, and those of its workspaces that it knows, whoever has saved
 * them since; and cancel their waiting deliveries.
 */
export const switchOffAllWebhooks = (db: Database, userId: number, now: string): Statement[] => [
  ...switchOffKnownWebhooks(db, userId, { now }),
  ...switchOff(db, eq(webhooks.userId, userId)),
];

/** The webhooks of a workspace, or of all, that an account has made or whose secret it was shown. */
const isKnownTo = (userId: number, workspaceId?: number) =>
  and(
    workspaceId === undefined
      ? inArray(webhooks.workspaceId, workspacesOf({ userId, role: "viewer" }))
      : eq(webhooks.workspaceId, workspaceId),
    or(eq(webhooks.madeBy, userId), eq(webhooks.secretSeenBy, userId)),
  );

/**
 * The statements that switch off what an account has made in a workspace, or in all, or whose secret it was shown, when it
 * owns them no more or was reset, with a mail to the other owners. Whoever switches them on again gets another secret.
 */
export function switchOffKnownWebhooks(
  db: Database,
  userId: number,
  { workspaceId, now }: { workspaceId?: number | undefined; now: string },
): Statement[] {
  const known = isKnownTo(userId, workspaceId);
  return [
    insertWebhooksOff(db, userId, { known, now }),
    ...switchOff(db, known, now),
    db.update(webhooks).set({ secretSeenBy: null }).where(known),
  ];
}

/** The statements that switch off the webhooks that end with these API tokens of the account; must precede their deletion. */
export const switchOffTokenWebhooks = (db: Database, userId: number, token?: number) =>
  switchOff(
    db,
    inArray(
      webhooks.apiTokenId,
      valuesOf(
        apiTokens.id,
        and(eq(apiTokens.userId, userId), token === undefined ? undefined : eq(apiTokens.id, token)),
      ),
    ),
  );

/** The statements that switch off the webhooks of expired API tokens. */
export function switchOffExpiredWebhooks(db: Database, now: string): Statement[] {
  const isExpired = and(eq(apiTokens.id, webhooks.apiTokenId), lte(apiTokens.expiresAt, now));
  const expired = valuesOf(apiTokens.id, isExpired);
  return switchOff(db, and(isNotNull(webhooks.apiTokenId), eq(webhooks.enabled, true), exists(expired)), now);
}

/** What waits is not sent any more: where it is much, `endSomeDeliveries` cancels the rest. */
function switchOff(db: Database, where: SQL | undefined, now?: string): [Statement, Statement, Statement] {
  const [snapshots, deliveries] = endDeliveries(db, where);
  return [
    snapshots,
    deliveries,
    db
      .update(webhooks)
      .set({ enabled: false, ...(now && { updatedAt: now }) })
      .where(where),
  ];
}

/** Deliveries that one batch cancels or deletes: others wait for it. */
const ENDED_AT_ONCE = 500;

function endDeliveries(db: Database, where: SQL | undefined) {
  const some = sql`(select id from ${webhookDeliveries} where ${isPending} and webhook_id in ${valuesOf(webhooks.id, where)} limit ${ENDED_AT_ONCE})`;
  const theirs = inArray(webhookDeliveries.id, some);
  return [
    deleteIdleSnapshots(db, theirs, and(isPending, not(theirs))),
    db
      .update(webhookDeliveries)
      .set({ status: "failed", failure: "switched_off", nextAttemptAt: null })
      .where(theirs)
      .returning({ id: webhookDeliveries.id }),
  ] as const;
}

/** Cancels some of what waits for webhooks that are switched off, or for this one. @returns whether there may be more */
export async function endSomeDeliveries(db: Database, id?: number): Promise<boolean> {
  const [, ended] = await db.batch(
    endDeliveries(db, equals(webhooks, { enabled: false, ...(id !== undefined && { id }) })),
  );
  return ended.length === ENDED_AT_ONCE;
}

/** Switches a webhook off and deletes some of its deliveries. @returns whether there may be more */
export async function deleteSomeDeliveries(
  db: Database,
  member: Member,
  { id, now }: { id: number; now: string },
): Promise<boolean> {
  const some = sql`(select id from ${webhookDeliveries} where not ${isPending} and webhook_id in ${valuesOf(webhooks.id, own(member, id))} limit ${ENDED_AT_ONCE})`;
  const deletion = db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, some))
    .returning({ id: webhookDeliveries.id });
  const [, , , deleted] = await db.batch([...switchOff(db, own(member, id), now), deletion]);
  return deleted.length === ENDED_AT_ONCE;
}

/** Deletes a webhook with its deliveries, in a batch with `recorded`. @returns whether it existed */
export async function deleteWebhook(
  db: Database,
  member: Member,
  id: number,
  recorded: Statement[] = [],
): Promise<boolean> {
  const deletion = db.delete(webhooks).where(own(member, id)).returning({ id: webhooks.id });
  const [, , , rows] = await db.batch([...switchOff(db, own(member, id)), deletion, ...recorded]);
  return rows.length > 0;
}

const own = (member: Member, id: number) => and(eq(webhooks.id, id), ownWebhooks(member));

const ownedBy = (db: Database, owner: Owner, id: number) =>
  and(own(owner.member, id), isUnchangedOwner(db, owner));
