import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { CONTACT_FIELDS, type ContactFields } from "../../worker/contract/contacts";
import { LIMITS } from "../../worker/contract/limits";
import type { AccountQuota } from "../../worker/contract/quotas";
import type { Database } from "../client";
import { contacts, envelopes } from "../schema";
import { isBelowLimit } from "./account-guards";
import { isUnchanged, laterThan } from "./changed-meanwhile";
import { onlyWhile } from "./guard";
import { appendToKeyedResource, type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { contactTextColumns, fillContacts } from "./list-columns";
import { isMember, type Member } from "./members";
import { namedList, parsed } from "./paging";
import { hasRows } from "./query-helpers";
import { requireWithinQuota } from "./quotas";
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
      userId: onlyWhile(isBelowLimit(contacts, member.userId, LIMITS.contactsPerAccount), member.userId),
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

/** What became of the contacts of an earlier call, by what it has recorded for its key. */
export function recordedImport(resource: string): Import {
  const [total = 0, updated = 0, created = 0] = resource.split(" ").map(Number);
  return importOf({ total, updated, created });
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
    listed,
    byEmail,
    quotas,
    now,
  }: {
    workspaceId: number;
    listed: readonly Record<string, unknown>[];
    byEmail: boolean;
    quotas: AccountQuota;
    now: string;
  },
  claim?: KeyClaim,
): Promise<Import | null> {
  const rows = JSON.stringify(listed);
  const givenValue = (field: string) => sql`item ->> ${`$.${field}`}`;
  // Columns of a joined subquery must not have the name of one of the table's.
  const known = sql`select lower(email) as address, min(id) as known_id from ${contacts} where workspace_id = ${workspaceId} and email is not null group by 1`;
  // Materialized, so that SQLite joins the two by an index instead of reading all of the list for each known contact.
  const entries = sql`select value as item, lower(value ->> '$.email') as item_address from json_each(${rows})`;
  const matched = sql`(with known as materialized (${known}), entries as materialized (${entries})
    select item, known_id from entries left join known on ${byEmail ? 1 : 0} and address = item_address)`;
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
  const isFull = sql`(select count(*) from ${contacts} as own where own.user_id = ${member.userId}) + count(*) over () > ${LIMITS.contactsPerAccount}`;
  const entered = Object.fromEntries(CONTACT_FIELDS.map((field) => [field, givenValue(field)]));
  const values: Record<keyof typeof contacts.$inferSelect, SQL> = {
    ...(entered as Record<keyof ContactFields, SQL>),
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
    sql<string>`iif(${workspace} is null, null, ${listed.length} || ' ' || changes())`,
  );
  const [[found], updated, ...rest] = await db.batch([
    db.select({ id: workspace }).from(sql`(select 1)`),
    update,
    ...recorded,
    insert,
    ...appendToKeyedResource(db, claim, sql`changes()`),
    requireWithinQuota(db, quotas, { workspaceId, userId: member.userId }),
  ]);
  if (!found?.id) return null;
  await fillContacts(db, listed.length);
  const created = rest[recorded.length] as unknown as readonly unknown[];
  return importOf({ total: listed.length, updated: updated.length, created: created.length });
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

/** Envelopes that one statement takes from a contact. */
const TAKEN_AT_ONCE = 1000;

/**
 * Deletes the contact, and before takes its envelopes from it in statements between which others are served.
 * @param takeTurn waits for the caller's turn
 * @returns whether the contact existed
 */
export async function deleteContact(
  db: Database,
  member: Member,
  id: number,
  takeTurn?: () => Promise<void>,
): Promise<boolean> {
  const some = sql`(select ${envelopes.id} from ${envelopes} where ${envelopes.contactId} = (select ${contacts.id} from ${contacts} where ${own(member, id)}) limit ${TAKEN_AT_ONCE})`;
  const take = () =>
    db
      .update(envelopes)
      .set({ contactId: null })
      .where(sql`${envelopes.id} in ${some}`)
      .returning({ id: envelopes.id });
  while (takeTurn && (await take()).length === TAKEN_AT_ONCE) await takeTurn();
  return hasRows(db.delete(contacts).where(own(member, id)).returning({ id: contacts.id }));
}

const own = (member: Member, id: number) => and(eq(contacts.id, id), isMember(contacts.workspaceId, member));
