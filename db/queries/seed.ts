import { asc, eq, gt, max, sql } from "drizzle-orm";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../worker/contract/product";
import type { Database } from "../client";
import { envelopeDocuments, envelopeEvents, envelopes, submissions, templateUses } from "../schema";
import { updateFileBytes } from "./list-columns";
import type { Template } from "./templates";

type Owner = { userId: number; workspaceId: number };
/** A row of an envelope with its dates, and an event of its timeline. */
export type SeedEnvelope = typeof envelopes.$inferInsert & { createdAt: string };
export type SeedEvent = Omit<typeof envelopeEvents.$inferInsert, "envelopeId">;
type Sample = { bytes: Uint8Array; sha256: string };
/** The files of the two documents that each envelope of `insertLoad` requests. */
type Samples = Record<"passport" | "address", Sample>;
/** `textBytes` is what each envelope counts in the quota. */
type Load = { count: number; now: Date; samples: Samples; textBytes: number };

/** Inserts an envelope in any state, with the use of its template. @returns the documents it requests */
export async function insertSeedEnvelope(
  db: Database,
  envelope: SeedEnvelope,
  template: Template,
  events: SeedEvent[],
): Promise<(typeof envelopeDocuments.$inferSelect)[]> {
  const [inserted] = await db.insert(envelopes).values(envelope).returning({ id: envelopes.id });
  if (!inserted) throw new Error("The envelope was not created");
  const envelopeId = inserted.id;
  const { userId, customerEmail, title, status, createdAt } = envelope;
  await db.insert(envelopeEvents).values(events.map((event) => ({ envelopeId, ...event })));
  const use = { userId, templateId: template.id, envelopeId, customerEmail, data: { title } };
  await db.insert(templateUses).values({ ...use, status, createdAt });
  return db
    .insert(envelopeDocuments)
    .values(template.fields.map((field, position) => ({ ...field, position, envelopeId })))
    .returning();
}

export async function insertSeedFile(db: Database, row: typeof submissions.$inferInsert): Promise<void> {
  await db.batch([db.insert(submissions).values(row), updateFileBytes(db, eq(envelopes.id, row.envelopeId))]);
}

/** Limits what one statement adds to the write-ahead log. */
const ROWS_PER_INSERT = 50_000;
const CONTACTS = 50;

/**
 * Adds `count` envelopes spread over the last year, with two documents and a contact each, and two file rows for
 * completed ones, whose bytes the caller stores. Uses SQL only: the
 * services create a hundred a second, and this takes 15 s for 100,000.
 */
export async function insertLoad(db: Database, owner: Owner, load: Load): Promise<void> {
  const { count, now } = load;
  if (count === 0) return;
  const firstContact = await insertContacts(db, owner, now);
  for (let inserted = 0; inserted < count; inserted += ROWS_PER_INSERT) {
    const size = Math.min(ROWS_PER_INSERT, count - inserted);
    await insertEnvelopes(db, owner, { ...load, firstContact, inserted, size });
  }
}

async function insertContacts(db: Database, owner: Owner, now: Date): Promise<number> {
  const time = now.toISOString();
  await db.run(sql`
    insert into contacts (user_id, workspace_id, first_name, last_name, email, created_at, updated_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CONTACTS})
    select ${owner.userId}, ${owner.workspaceId}, 'Recipient', i, 'recipient' || i || '@example.com',
      ${time}, ${time} from n`);
  const last = await db.get<{ id: number }>(sql`select max(id) as id from contacts`);
  return last.id - CONTACTS + 1;
}

async function insertEnvelopes(
  db: Database,
  { userId, workspaceId }: Owner,
  {
    firstContact,
    inserted,
    size,
    count,
    now,
    textBytes,
    samples: { passport, address },
  }: Load & Record<"firstContact" | "inserted" | "size", number>,
): Promise<void> {
  const before = await db.get<{ id: number | null }>(sql`select max(id) as id from envelopes`);
  const secondsApart = (365 * 24 * 60 * 60) / count;
  await db.run(sql`
    insert into envelopes (user_id, workspace_id, contact_id, title, description, customer_email,
      submission_token, status, is_draft, recipient_name, expiration_date, subject, text_bytes, created_at,
      updated_at, sent_at, completed_at)
    with recursive
      n(i) as (select cast(${inserted + 1} as integer) union all select i + 1 from n where i < ${inserted + size}),
      rows(i, time, status) as (
        select i, strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, ((i - ${count}) * ${secondsApart}) || ' seconds'),
          case i % 6 when 2 then 'completed' when 4 then 'expired' when 5 then 'draft' else 'pending' end
        from n)
    select ${userId}, ${workspaceId}, ${firstContact} + i % ${CONTACTS}, ${TITLE_PREFIX} || 'Recipient ' || i,
      ${DEFAULT_DESCRIPTION}, 'recipient' || i || '@example.com',
      lower(hex(randomblob(32))), status, status = 'draft', 'Recipient ' || i,
      iif(status = 'expired', substr(time, 1, 10), null), 'Documents for file ' || i,
      ${textBytes}, time, time,
      iif(status = 'draft', null, time), iif(status = 'completed', time, null)
    from rows`);
  const added = sql`envelopes.id > ${before.id ?? 0}`;
  await db.run(sql`
    insert into envelope_documents (envelope_id, position, name, required, allowed_file_types)
    select envelopes.id, document.position, document.name, document.position = 0, '["pdf","jpg"]'
    from envelopes, (select 0 as position, 'Passport' as name union all select 1, 'Proof of address') as document
    where ${added}`);
  await db.run(sql`
    insert into submissions (envelope_id, envelope_document_id, document_name, file_path, file_name, file_size,
      sha256, mime_type, created_at)
    select envelopes.id, document.id, document.name, lower(hex(randomblob(16))) || '.pdf', document.name || '.pdf',
      case document.name when 'Passport' then ${passport.bytes.length} else ${address.bytes.length} end,
      case document.name when 'Passport' then ${passport.sha256} else ${address.sha256} end,
      'application/pdf', envelopes.completed_at
    from envelopes join envelope_documents as document on document.envelope_id = envelopes.id
    where ${added} and envelopes.status = 'completed'`);
  await updateFileBytes(db, added);
}

/** The number of envelopes and submitted files, and the last file's id. */
export async function countSeeded(db: Database) {
  const [envelopeRows] = await db.select({ count: sql<number>`count(*)` }).from(envelopes);
  const [fileRows] = await db
    .select({ count: sql<number>`count(*)`, last: max(submissions.id) })
    .from(submissions);
  return {
    envelopes: envelopeRows?.count ?? 0,
    files: fileRows?.count ?? 0,
    lastFile: fileRows?.last ?? 0,
  };
}

/** One page of the submitted files with an id above `after`. */
export const listSeededFiles = (db: Database, after: number, limit: number) =>
  db
    .select({ id: submissions.id, key: submissions.filePath, documentName: submissions.documentName })
    .from(submissions)
    .where(gt(submissions.id, after))
    .orderBy(asc(submissions.id))
    .limit(limit);
