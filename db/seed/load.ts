import { sql } from "drizzle-orm";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../worker/contract/product";
import type { Database } from "../client";
import { samplePdf } from "./sample-pdf";

type Owner = { userId: number; workspaceId: number };

/** Limits what one statement adds to the write-ahead log. */
const ROWS_PER_INSERT = 50_000;
const CONTACTS = 50;
const PASSPORT_BYTES = samplePdf("Passport").length;
const ADDRESS_BYTES = samplePdf("Proof of address").length;

/**
 * Adds `count` envelopes spread over the last year, with two documents and a contact each, and two file rows for
 * completed ones; `storeLoadFiles` stores their bytes. Uses SQL only: a million envelopes would otherwise take minutes.
 */
export async function seedLoad(db: Database, owner: Owner, count: number, now: Date): Promise<void> {
  if (count === 0) return;
  const firstContact = await insertContacts(db, owner, now);
  for (let inserted = 0; inserted < count; inserted += ROWS_PER_INSERT) {
    const size = Math.min(ROWS_PER_INSERT, count - inserted);
    await insertEnvelopes(db, owner, { firstContact, inserted, size, count, now });
  }
}

async function insertContacts(db: Database, owner: Owner, now: Date): Promise<number> {
  const moment = now.toISOString();
  await db.run(sql`
    insert into contacts (user_id, workspace_id, first_name, last_name, email, created_at, updated_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CONTACTS})
    select ${owner.userId}, ${owner.workspaceId}, 'Recipient', i, 'recipient' || i || '@example.com',
      ${moment}, ${moment} from n`);
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
  }: Record<"firstContact" | "inserted" | "size" | "count", number> & {
    now: Date;
  },
): Promise<void> {
  const before = await db.get<{ id: number | null }>(sql`select max(id) as id from requests`);
  const secondsApart = (365 * 24 * 60 * 60) / count;
  await db.run(sql`
    insert into requests (user_id, workspace_id, contact_id, title, description, customer_email,
      submission_token, status, is_draft, recipient_name, expiration_date, subject, created_at, updated_at,
      sent_at, completed_at)
    with recursive
      n(i) as (select cast(${inserted + 1} as integer) union all select i + 1 from n where i < ${inserted + size}),
      rows(i, moment, status) as (
        select i, strftime('%Y-%m-%dT%H:%M:%fZ', ${now.toISOString()}, ((i - ${count}) * ${secondsApart}) || ' seconds'),
          case i % 6 when 2 then 'completed' when 4 then 'expired' when 5 then 'draft' else 'pending' end
        from n)
    select ${userId}, ${workspaceId}, ${firstContact} + i % ${CONTACTS}, ${TITLE_PREFIX} || 'Recipient ' || i,
      ${DEFAULT_DESCRIPTION}, 'recipient' || i || '@example.com',
      lower(hex(randomblob(32))), status, status = 'draft', 'Recipient ' || i,
      iif(status = 'expired', substr(moment, 1, 10), null), 'Documents for file ' || i, moment, moment,
      iif(status = 'draft', null, moment), iif(status = 'completed', moment, null)
    from rows`);
  const added = sql`requests.id > ${before.id ?? 0}`;
  await db.run(sql`
    insert into request_documents (request_id, position, name, required, allowed_file_types)
    select requests.id, document.position, document.name, document.position = 0, '["pdf","jpg"]'
    from requests, (select 0 as position, 'Passport' as name union all select 1, 'Proof of address') as document
    where ${added}`);
  await db.run(sql`
    insert into submissions (envelope_id, request_document_id, document_name, file_path, file_name, file_size,
      mime_type, created_at)
    select requests.id, document.id, document.name, lower(hex(randomblob(16))) || '.pdf', document.name || '.pdf',
      case document.name when 'Passport' then ${PASSPORT_BYTES} else ${ADDRESS_BYTES} end, 'application/pdf', requests.completed_at
    from requests join request_documents as document on document.request_id = requests.id
    where ${added} and requests.status = 'completed'`);
}
