import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { CONTACT_FIELDS, type ContactFields } from "../../worker/contract/contacts";
import { LIMITS, SERVER_LIMITS } from "../../worker/contract/limits";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { contacts, envelopeDocuments, envelopes } from "../schema";
import { isBelowLimit } from "./account-guards";
import { isUnchanged, laterThan } from "./changed-meanwhile";
import { onlyWhile } from "./guard";
import { appendToKeyedResource, type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { contactTextColumns, fillContacts } from "./list-columns";
import { isMember, listMemberships, type Member } from "./members";
import { namedList, parsed } from "./paging";
import { listed } from "./query-helpers";
import { requireWithinQuota } from "./quotas";
import { activityTarget, insertActivities, insertActivity } from "./workspace-activity";
import { ownWorkspace } from "./workspaces";

export type Contact = Omit<typeof contacts.$inferSelect, "updatedBy" | "nameKey" | "filterText">;
/** Contacts that a change fills: its own, and those of changes at the same time. */
const FILLED_AT_ONCE = 10;

type ContactLink = { workspaceId: number; contactId: number | null };
type NewContact = Omit<typeof contacts.$inferInsert, "id" | "userId" | "updatedBy">;

const { updatedBy: _, nameKey: _key, filterText: _text, ...columns } = getTableColumns(contacts);

export const { list: listContacts, count: countContacts } = namedList<Contact>({
  ...{ table: contacts, row: parsed(jsonRow(columns)), mayBeLong: true },
});

export const findContact = (db: Database, member: Member, id: number) =>
  db.select(columns).from(contacts).where(own(member, id)).get();

/** The id of the caller's contact in the workspace, or NULL if there is none. */
export const ownContact = (member: Member, { workspaceId, contactId }: ContactLink) =>
  sql<number>`(select ${contacts.id} from ${contacts} where ${contacts.id} = ${contactId} and ${contacts.workspaceId} = ${workspaceId} and ${isMember(contacts.workspaceId, member)})`;

export async function insertContact(
  db: Database,
  member: Member,
  contact: NewContact,
  quotas: AccountQuota,
  claim?: KeyClaim,
): Promise<Contact> {
  const insert = db
    .insert(contacts)
    .values({
      ...contact,
      ...contactTextColumns(contact),
      updatedBy: member.userId,
      userId: onlyWhile(
        isBelowLimit(contacts, member.userId, SERVER_LIMITS.contactsPerAccount),
        member.userId,
      ),
      workspaceId: ownWorkspace(member, contact.workspaceId),
    })
    .returning(columns);
  const [[row]] = await db.batch([
    insert,
    ...recordKeyedResource(db, claim),
    requireWithinQuota(db, quotas, { workspaceId: contact.workspaceId, userId: member.userId }),
  ]);
  if (!row) throw new Error("The contact was not inserted");
  return row;
}

type Import = { created: number; updated: number; unchanged: number };

const importOf = ({
  total,
  updated,
  created,
}: {
  total: number;
  updated: number;
  created: number;
}): Import => ({
  created,
  updated,
  unchanged: total - created - updated,
});

/** What became of the contacts of an earlier call, and where, by what it has recorded for its key. */
export function recordedImport(resource: string): { counts: Import; workspaceId: number | undefined } {
  const [total = 0, updated = 0, created = 0, workspaceId] = resource.split(" ").map(Number);
  return { counts: importOf({ total, updated, created }), workspaceId };
}

/**
 * Creates contacts in one batch. With `byEmail`, changes those that have the same address instead: their absent fields
 * stay. Of several contacts with one address, the oldest is changed.
 * @returns null without the workspace
 */
export async function importContacts(
  db: Database,
  member: Member,
  {
    workspaceId,
    entries: given,
    byEmail,
    quotas,
    now,
    takeTurn,
  }: {
    workspaceId: number;
    entries: readonly Record<string, unknown>[];
    byEmail: boolean;
    quotas: AccountQuota;
    now: string;
    takeTurn?: (() => Promise<void>) | undefined;
  },
  claim?: KeyClaim,
): Promise<Import | null> {
  const rows = JSON.stringify(given);
  const givenValue = (field: string) => sql`item ->> ${`$.${field}`}`;
  // Only those with an address of the list: to group all takes longer. Columns of a joined subquery must not have the name
  // of one of the table's.
  const known = sql`select lower(email) as address, min(id) as known_id from ${contacts} where ${byEmail ? 1 : 0} and workspace_id = ${workspaceId} and lower(email) in (select item_address from entries) group by 1`;
  // Materialized, so that SQLite joins the two by an index instead of reading all of the list for each known contact.
  const entries = sql`select value as item, lower(value ->> '$.email') as item_address from json_each(${rows})`;
  const matched = sql`(with entries as materialized (${entries}), known as materialized (${known})
    select item, known_id from entries left join known on address = item_address)`;
  const changes = CONTACT_FIELDS.map((field) => {
    const column = columns[field];
    const isGiven = sql`json_type(item, ${`$.${field}`}) is not null`;
    return { field, value: sql`iif(${isGiven}, ${givenValue(field)}, ${column})`, column };
  });
  const isChange = sql.join(
    changes.map(({ value, column }) => sql`${column} is not ${value}`),
    sql` or `,
  );
  const update = db
    .update(contacts)
    .set({
      ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
      updatedAt: laterThan(contacts.updatedAt, now),
      updatedBy: member.userId,
      filterText: null,
    })
    .from(sql`${matched} as matched`)
    .where(sql`${contacts.id} = known_id and ${isMember(contacts.workspaceId, member)} and (${isChange})`)
    .returning({ id: contacts.id });
  const isFull = sql`(select count(*) from ${contacts} as own where own.user_id = ${member.userId}) + count(*) over () > ${SERVER_LIMITS.contactsPerAccount}`;
  const entered = Object.fromEntries(CONTACT_FIELDS.map((field) => [field, givenValue(field)]));
  const values: Record<keyof typeof contacts.$inferSelect, SQL> = {
    ...(entered as Record<keyof ContactFields, SQL>),
    tags: sql`ifnull(${givenValue("tags")}, '[]')`,
    id: sql`null`,
    userId: onlyWhile(sql`not ${isFull}`, member.userId),
    workspaceId: ownWorkspace(member, workspaceId),
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
    updatedBy: sql`${member.userId}`,
    nameKey: sql`null`,
    filterText: sql`null`,
  };
  // All columns in table order, as `insert … select` requires.
  const names = Object.keys(getTableColumns(contacts)) as (keyof typeof values)[];
  const inserted = names.map((name) => values[name]);
  const insert = db
    .insert(contacts)
    .select(sql`select ${sql.join(inserted, sql`, `)} from ${matched} where known_id is null`)
    .returning({ id: contacts.id });
  const workspace = ownWorkspace(member, workspaceId);
  // `changes()` counts the rows of the statement before. Without the workspace, nothing is recorded.
  const recorded = recordKeyedResource(
    db,
    claim,
    sql<string>`iif(${workspace} is null, null, ${given.length} || ' ' || changes())`,
  );
  const [[found], updated, ...rest] = await db.batch([
    db.select({ id: workspace }).from(sql`(select 1)`),
    update,
    ...recorded,
    insert,
    ...appendToKeyedResource(db, claim, sql`changes()`),
    ...appendToKeyedResource(db, claim, sql`${workspaceId}`),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
    insertActivity(
      db,
      member,
      {
        ...{ workspaceId, type: "contacts.imported", target: activityTarget({}) },
        ...{ detail: { count: given.length }, now },
      },
      sql`${workspace} is not null`,
    ),
  ]);
  if (!found?.id) return null;
  await takeTurn?.();
  await fillContacts(db, given.length);
  const created = rest[recorded.length] as unknown as readonly unknown[];
  return importOf({ total: given.length, updated: updated.length, created: created.length });
}

/** Changes the contact, unless it is not the caller's or has changed since `read`. Fails if it is beyond the quota. */
export async function updateContact(
  db: Database,
  member: Member,
  { id, read }: { id: number; read: string | null | undefined },
  { now, ...changes }: Partial<NewContact> & { now: string },
  quotas: AccountQuota,
): Promise<Contact | undefined> {
  const updatedAt = laterThan(contacts.updatedAt, now);
  const update = db
    .update(contacts)
    .set({ ...changes, updatedAt, updatedBy: member.userId, filterText: null })
    .where(and(own(member, id), isUnchanged(contacts.updatedAt, read)))
    .returning(columns);
  const of = (column: SQLiteColumn) => sql`(select ${column} from ${contacts} where ${own(member, id)})`;
  const written = { workspaceId: of(contacts.workspaceId), userId: of(contacts.userId) };
  const [[contact]] = await db.batch([update, requireWithinQuota(db, quotas, written)]);
  if (contact) await fillContacts(db, FILLED_AT_ONCE);
  return contact;
}

/** Envelopes that one statement takes from a contact. Each may have a hundred documents, which others wait for. */
const TAKEN = { inTurn: 50, atOnce: 1000 };

/**
 * Deletes the caller's contacts with these ids, and before takes their envelopes from them in statements between which others
 * are served.
 * @param takeTurn waits for the caller's turn
 * @returns how many existed
 */
export async function deleteContacts(
  db: Database,
  member: Member,
  { ids, now }: { ids: readonly number[]; now: string },
  takeTurn?: () => Promise<void>,
): Promise<number> {
  const chosen = ownOf(member, ids);
  const limit = takeTurn ? TAKEN.inTurn : TAKEN.atOnce;
  const some = sql`(select ${envelopes.id} from ${envelopes} where ${envelopes.contactId} in (select ${contacts.id} from ${contacts} where ${chosen}) limit ${limit})`;
  const take = async () => {
    const [, taken] = await db.batch([
      stopRenewals(db, some),
      db
        .update(envelopes)
        .set({ contactId: null })
        .where(sql`${envelopes.id} in ${some}`)
        .returning({ id: envelopes.id }),
    ]);
    return taken;
  };
  while ((await take()).length === limit) await takeTurn?.();
  const counted = sql`select ${contacts.workspaceId}, '{}' as target, json_object('count', count(*)) as detail from ${contacts} where ${chosen} group by 1`;
  const [, deleted] = await db.batch([
    insertActivities(db, member, { type: "contacts.deleted", now }, counted),
    db.delete(contacts).where(chosen).returning({ id: contacts.id }),
  ]);
  return deleted.length;
}

/** The statement after which no document of these envelopes is asked for again. */
const stopRenewals = (db: Database, envelopeIds: SQL): Statement =>
  db
    .update(envelopeDocuments)
    .set({
      renewOn: null,
      details: sql`nullif(json_remove(${envelopeDocuments.details}, '$.renewDays'), '{}')`,
    })
    .where(
      sql`${envelopeDocuments.envelopeId} in ${envelopeIds} and ${envelopeDocuments.details} ->> '$.renewDays' is not null`,
    );

/** Contacts whose tags one statement reads. */
const TAGS_READ_AT_ONCE = 200;
/** Tags of which the most used are chosen without a turn for others. */
const TAGS_SORTED_AT_ONCE = 5000;

type Tagged = [name: string, number: number, last: number];

/** The most used tags of a workspace, or of all of the caller's, by name. @param takeTurn waits for the caller's turn */
export async function listTags(
  db: Database,
  member: Member,
  workspaceId: number | undefined,
  takeTurn?: () => Promise<void>,
): Promise<{ name: string; contacts: number }[]> {
  const counts = new Map<string, number>();
  const workspaceIds = workspaceId === undefined ? await listMemberships(db, member) : [workspaceId];
  for (const id of workspaceIds)
    for (let after: number | null = 0; after !== null; ) {
      await takeTurn?.();
      const some: SQL = sql`select id, tags from ${contacts} as tagged where workspace_id = ${id} and id > ${after} and tags <> '[]' and ${isMember(sql`tagged.workspace_id`, member)} order by id limit ${TAGS_READ_AT_ONCE}`;
      const rows: Tagged[] = await db.values<Tagged>(
        sql`with some as materialized (${some}) select tag.value, count(*), (select max(id) from some) from some, json_each(some.tags) as tag group by 1`,
      );
      // A row of libSQL has indexes, and is no array.
      for (const { 0: name, 1: number } of rows) counts.set(name, (counts.get(name) ?? 0) + number);
      after = rows[0]?.[2] ?? null;
    }
  let most: { name: string; contacts: number }[] = [];
  for (const [name, number] of counts) {
    most.push({ name, contacts: number });
    if (most.length < TAGS_SORTED_AT_ONCE) continue;
    most = mostUsed(most);
    await takeTurn?.();
  }
  return mostUsed(most).sort((one, other) => one.name.localeCompare(other.name));
}

const mostUsed = (tags: { name: string; contacts: number }[]) =>
  tags.sort((one, other) => other.contacts - one.contacts).slice(0, SERVER_LIMITS.tagsListed);

/** Contacts whose tags one batch changes. */
const TAGGED_AT_ONCE = 200;

/**
 * Adds tags to contacts of a workspace and removes others, but changes none that would have too many. Others are served
 * between parts of many contacts.
 * @returns how many were changed, and how many would have too many
 */
export async function changeTags(
  db: Database,
  member: Member,
  { ids, ...change }: TagChange,
  quotas: AccountQuota,
  takeTurn?: () => Promise<void>,
): Promise<{ changed: number; full: number }> {
  const total = { changed: 0, full: 0 };
  const each = [...new Set(ids)];
  for (let at = 0; at < each.length; at += TAGGED_AT_ONCE) {
    if (at > 0) await takeTurn?.();
    const part = { ...change, ids: each.slice(at, at + TAGGED_AT_ONCE) };
    const { changed, full } = await changeTagsAtOnce(db, member, part, quotas);
    total.changed += changed;
    total.full += full;
  }
  return total;
}

async function changeTagsAtOnce(
  db: Database,
  member: Member,
  { workspaceId, ids, add, remove, now }: TagChange,
  quotas: AccountQuota,
): Promise<{ changed: number; full: number }> {
  const chosen = and(ownOf(member, ids), eq(contacts.workspaceId, workspaceId));
  const kept = sql`select value, key from json_each(${contacts.tags}) where value not in ${listed(remove)}`;
  const added = sql`select value, ${LIMITS.tagsPerContact} + key from json_each(${JSON.stringify(add)}) where lower(value) not in (select lower(value) from json_each(${contacts.tags}))`;
  const tags = sql`(select json_group_array(value) from (select value from (${kept} union all ${added}) order by key))`;
  // Once for each contact, however often it is referred to.
  const changes = sql`(with each as materialized (select ${contacts.id} as id, ${tags} as tags from ${contacts} where ${chosen}) select id, tags, json_array_length(tags) > ${LIMITS.tagsPerContact} as full from each) as changes`;
  const [[full], changed] = await db.batch([
    db.select({ count: sql<number>`count(*)` }).from(changes).where(sql`changes.full`),
    db
      .update(contacts)
      .set({
        tags: sql`changes.tags`,
        updatedAt: laterThan(contacts.updatedAt, now),
        updatedBy: member.userId,
      })
      .from(changes)
      .where(
        and(eq(contacts.id, sql`changes.id`), sql`not changes.full and ${contacts.tags} <> changes.tags`),
      )
      .returning({ id: contacts.id }),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
  ]);
  return { changed: changed.length, full: full?.count ?? 0 };
}

type TagChange = {
  workspaceId: number;
  ids: readonly number[];
  add: readonly string[];
  remove: readonly string[];
  now: string;
};

const own = (member: Member, id: number) => and(eq(contacts.id, id), isMember(contacts.workspaceId, member));
const ownOf = (member: Member, ids: readonly number[]) =>
  and(inArray(contacts.id, listed(ids)), isMember(contacts.workspaceId, member));
