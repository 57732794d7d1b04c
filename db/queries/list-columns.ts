import { and, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { TITLE_PREFIX } from "../../worker/contract/product";
import { FILTERED_OF_CONTACT, foldName } from "../../worker/contract/searched-words";
import { foldText, textKey } from "../../worker/contract/text-order";
import { type Database, type Query, runBatch, type Statement } from "../client";
import {
  answers,
  contacts,
  envelopeDocuments,
  envelopes,
  notifications,
  submissions,
  templates,
} from "../schema";
import { shortLists } from "./query-helpers";

// What lists filter and sort by, which SQL cannot compute: whoever writes the texts writes these with them.

export const envelopeTextColumns = ({ subject, title }: { subject?: string | null; title: string }) => ({
  filterText: foldText(subject ?? ""),
  subjectKey: keyOf(subject),
  recipientKey: keyOf(title.startsWith(TITLE_PREFIX) ? title.slice(TITLE_PREFIX.length) : title),
});

type Filtered = "firstName" | "lastName" | "phone" | (typeof FILTERED_OF_CONTACT)[number];

export const contactTextColumns = (contact: Pick<typeof contacts.$inferInsert, Filtered>) => {
  const name = [contact.firstName, contact.lastName].filter(Boolean).join(" ");
  const others = FILTERED_OF_CONTACT.map((field) => contact[field]);
  const texts = [name, ...others, contact.phone?.replace(/\D/g, "")];
  return { filterText: foldName(texts.filter(Boolean).join("\n")), nameKey: keyOf(name) };
};

export const templateTextColumns = ({ name }: { name: string }) => ({
  filterText: foldName(name),
  nameKey: keyOf(name),
});

const keyOf = (text: string | null | undefined): string | null => textKey(text?.trim() ?? "") || null;

const {
  subjectKey: _,
  recipientKey: _key,
  filterText: _text,
  toReview: _count,
  fileBytes: _bytes,
  ...rest
} = getTableColumns(envelopes);
/** The columns of an envelope without those that only lists and quotas read. */
export const envelopeColumns = rest;

const currentFile = sql`${submissions.envelopeDocumentId} = ${envelopeDocuments.id} and not ${submissions.superseded}`;

/** `isGiven`, where a query knows already whether the document has such a file. */
export const isGivenIf = (hasFile: SQL) => sql`iif(${envelopeDocuments.kind} = 'file', ${hasFile},
  exists (select 1 from ${answers} where ${answers.envelopeDocumentId} = ${envelopeDocuments.id} and ${answers.submittedAt} is not null and not ${answers.superseded}))`;

/** Whether a file or an answer was submitted for the document that no newer one has replaced. */
export const isGiven = isGivenIf(sql`exists (select 1 from ${submissions} where ${currentFile})`);

/** Whether the requestor has not decided about the document yet, `awaitsReview` in SQL. */
export const isUnreviewedIf = (
  given: SQL,
) => sql`(${envelopeDocuments.review} is null and case when ${envelopeDocuments.skipped}
    then ${envelopeDocuments.required} and ${envelopeDocuments.reasonAllowed}
    else ${given} end)`;

const unreviewed = sql`(select count(*) from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${envelopes.id}
  and ${isUnreviewedIf(isGiven)})`;

/** The value of `toReview` for the updated envelope. */
export const toReview = sql<number>`iif(${envelopes.filesDeletedAt} is null, ${unreviewed}, 0)`;

/** The statement for a batch that has changed documents or files of these envelopes. */
export const updateToReview = (db: Database, which: SQL | undefined): Statement =>
  db.update(envelopes).set({ toReview }).where(which);

const fileBytes = sql<number>`((select coalesce(sum(${submissions.fileSize}), 0) from ${submissions} where ${submissions.envelopeId} = ${envelopes.id} and ${submissions.deletedAt} is null)
  + (select coalesce(sum(octet_length(${answers.value})), 0) from ${answers} where ${answers.envelopeId} = ${envelopes.id}))`;

/** The statement for a batch that has added or deleted files of these envelopes. */
export const updateFileBytes = (db: Database, which: SQL | undefined) =>
  db.update(envelopes).set({ fileBytes }).where(which);

const remindedAt = sql<string>`(select max(${notifications.createdAt}) from ${notifications} where ${notifications.envelopeId} = ${envelopes.id} and ${notifications.kind} = 'reminder')`;

const unfilled = <Table extends Listed>(db: Database, table: Table, limit: number) =>
  db
    .select()
    .from(table as Listed)
    .where(isNull(table.filterText))
    .limit(limit) as unknown as Query<Table["$inferSelect"]>;

/**
 * Fills these columns of rows that an earlier version or SQL alone has written, such as those of an import.
 * @param limit of rows of each table, in one statement
 * @returns whether there may be more
 */
export async function fillListColumns(db: Database, limit: number): Promise<boolean> {
  const [ofContacts, ofTemplates, ofEnvelopes] = await db.batch([
    unfilled(db, contacts, limit),
    unfilled(db, templates, limit),
    unfilled(db, envelopes, limit),
  ]);
  await runBatch(db, [
    ...fill(db, contacts, ofContacts, contactTextColumns),
    ...fill(db, templates, ofTemplates, templateTextColumns),
    ...fill(db, envelopes, ofEnvelopes, envelopeTextColumns, { toReview, remindedAt }),
  ]);
  return [ofContacts, ofTemplates, ofEnvelopes].some(({ length }) => length === limit);
}

/** The same of contacts alone, after some of their texts were changed. */
export async function fillContacts(db: Database, limit: number): Promise<void> {
  const [rows] = await db.batch([unfilled(db, contacts, limit)]);
  await runBatch(db, fill(db, contacts, rows, contactTextColumns));
}

type Listed = typeof contacts | typeof templates | typeof envelopes;

/** The statements for these rows, unless they have changed since they were read. */
function fill<Row extends { id: number; updatedAt: string }>(
  db: Database,
  table: Listed,
  rows: Row[],
  columnsOf: (row: Row) => Record<string, string | null>,
  more: Record<string, SQL> = {},
): Statement[] {
  const [first] = rows;
  if (!first) return [];
  const entries = rows.map((row) => ({ id: row.id, updatedAt: row.updatedAt, ...columnsOf(row) }));
  const texts = Object.keys(columnsOf(first)).map((name) => [name, sql`entry.value ->> ${`$.${name}`}`]);
  const isUnchanged = sql`${table.id} = entry.value ->> '$.id' and ${table.updatedAt} = entry.value ->> '$.updatedAt'`;
  return shortLists(entries).map(({ json }) =>
    db
      .update(table as SQLiteTable)
      .set({ ...Object.fromEntries(texts), ...more })
      .from(sql`json_each(${json}) as entry`)
      .where(and(isUnchanged, isNull(table.filterText))),
  );
}
