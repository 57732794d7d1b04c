import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import { contacts } from "../schema";
import { ownerBelowLimit } from "./account-limits";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { scopedList } from "./paging";
import { ownWorkspace } from "./workspaces";

export type Contact = typeof contacts.$inferSelect;
type NewContact = Omit<typeof contacts.$inferInsert, "id" | "userId">;

export const listContacts = scopedList(contacts, jsonRow(getTableColumns(contacts)));

export async function findContact(db: Database, userId: number, id: number): Promise<Contact | undefined> {
  return db.query.contacts.findFirst({ where: own(userId, id) });
}

/** The id of the caller's contact, or NULL if there is none. */
export const ownContact = (userId: number, id: number | null) =>
  sql<number>`(select ${contacts.id} from ${contacts} where ${contacts.id} = ${id} and ${contacts.userId} = ${userId})`;

export async function insertContact(
  db: Database,
  userId: number,
  contact: NewContact,
  claim?: KeyClaim,
): Promise<Contact> {
  const insert = db
    .insert(contacts)
    .values({
      ...contact,
      userId: ownerBelowLimit(contacts, userId, LIMITS.contactsPerAccount),
      workspaceId: ownWorkspace(userId, contact.workspaceId),
    })
    .returning();
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim)]);
  if (!row) throw new Error("The contact was not inserted");
  return row;
}

export async function updateContact(
  db: Database,
  userId: number,
  id: number,
  changes: Partial<NewContact>,
): Promise<Contact | undefined> {
  const [row] = await db.update(contacts).set(changes).where(own(userId, id)).returning();
  return row;
}

/** @returns whether the contact existed */
export async function deleteContact(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db.delete(contacts).where(own(userId, id)).returning({ id: contacts.id });
  return rows.length > 0;
}

const own = (userId: number, id: number) => and(eq(contacts.userId, userId), eq(contacts.id, id));
