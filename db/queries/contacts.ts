import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import { contacts } from "../schema";
import { ownerBelowLimit } from "./account-guards";
import { isUnchanged, laterThan } from "./changes";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { jsonRow } from "./json-row";
import { isMember, type Member } from "./members";
import { scopedList } from "./paging";
import { ownWorkspace } from "./workspaces";

export type Contact = Omit<typeof contacts.$inferSelect, "updatedBy" | "language">;
type ContactLink = { workspaceId: number; contactId: number | null };
type NewContact = Omit<typeof contacts.$inferInsert, "id" | "userId" | "updatedBy">;

const { updatedBy: _, language: _language, ...columns } = getTableColumns(contacts);

export const listContacts = scopedList(contacts, jsonRow(columns));

export async function findContact(db: Database, member: Member, id: number): Promise<Contact | undefined> {
  const [row] = await db.select(columns).from(contacts).where(own(member, id));
  return row;
}

/** The id of the caller's contact in the workspace, or NULL if there is none. */
export const ownContact = (member: Member, { workspaceId, contactId }: ContactLink) =>
  sql<number>`(select ${contacts.id} from ${contacts} where ${contacts.id} = ${contactId} and ${contacts.workspaceId} = ${workspaceId} and ${isMember(contacts.workspaceId, member)})`;

export async function insertContact(
  db: Database,
  member: Member,
  contact: NewContact,
  claim?: KeyClaim,
): Promise<Contact> {
  const insert = db
    .insert(contacts)
    .values({
      ...contact,
      updatedBy: member.userId,
      userId: ownerBelowLimit(contacts, member.userId, LIMITS.contactsPerAccount),
      workspaceId: ownWorkspace(member, contact.workspaceId),
    })
    .returning(columns);
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim)]);
  if (!row) throw new Error("The contact was not inserted");
  return row;
}

/** Changes the contact, unless it is not the caller's or has changed since `read`. */
export async function updateContact(
  db: Database,
  member: Member,
  { id, read }: { id: number; read: string | null | undefined },
  { now, ...changes }: Partial<NewContact> & { now: string },
): Promise<Contact | undefined> {
  const [row] = await db
    .update(contacts)
    .set({ ...changes, updatedAt: laterThan(contacts.updatedAt, now), updatedBy: member.userId })
    .where(and(own(member, id), isUnchanged(contacts.updatedAt, read)))
    .returning(columns);
  return row;
}

/** @returns whether the contact existed */
export async function deleteContact(db: Database, member: Member, id: number): Promise<boolean> {
  const rows = await db.delete(contacts).where(own(member, id)).returning({ id: contacts.id });
  return rows.length > 0;
}

const own = (member: Member, id: number) => and(eq(contacts.id, id), isMember(contacts.workspaceId, member));
