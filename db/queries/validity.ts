import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type DocumentEntry, detailsOf } from "../../worker/contract/documents";
import { ENVELOPE_STATUSES, isUnsent } from "../../worker/contract/options";
import { type Database, runBatch, type Statement } from "../client";
import { envelopeDocuments, envelopes, renewals, submissions, users } from "../schema";
import { nameKeyOf } from "./envelope-documents";
import { ownEnvelopeId } from "./envelopes";
import { jsonRow, jsonRowUnlessNull } from "./json-row";
import { isGiven } from "./list-columns";
import { isMember, type Member } from "./members";
import { type Cursor, type Listed, listPage, type Page, parsed } from "./paging";
import { listed, type TakeTurn } from "./query-helpers";
import { recipientOf } from "./search";

/** The statement that says of a document of the caller's envelope until when it is valid. */
export const updateValidity = (
  db: Database,
  member: Member,
  envelopeId: number,
  { id, ...entry }: DocumentEntry & { id: number },
  validity: { validUntil: string | null; renewOn: string | null; checkAt: string | null },
): Statement =>
  db
    .update(envelopeDocuments)
    .set({
      ...validity,
      details: detailsOf(entry),
      // One of an older version has none.
      nameKey: nameKeyOf(entry.name),
      workspaceId:
        validity.validUntil === null
          ? null
          : sql`(select ${envelopes.workspaceId} from ${envelopes} where ${envelopes.id} = ${envelopeId})`,
      renewalPaused: null,
    })
    .where(
      and(eq(envelopeDocuments.envelopeId, ownEnvelopeId(member, envelopeId)), eq(envelopeDocuments.id, id)),
    );

/** Pauses all renewals of an import, which the exported instance goes on with. */
export const pauseRenewals = (db: Database): Statement =>
  db
    .update(envelopeDocuments)
    .set({ renewalPaused: true })
    .where(sql`${envelopeDocuments.renewOn} is not null`);

/** How many documents are not asked for again because of that. */
export const countPausedRenewals = (db: Database): Promise<number> =>
  db.$count(
    envelopeDocuments,
    sql`${envelopeDocuments.workspaceId} is not null and ${envelopeDocuments.renewalPaused}`,
  );

/** Documents with a day that are looked at in one turn: a workspace may have a hundred thousand of others. */
const SEEN = { inTurn: 2000, atOnce: 20_000 };

/**
 * Goes on with the paused renewals of one of the caller's workspaces, in parts where others wait.
 * @param required the statements that precede each part
 */
export async function resumeRenewals(
  db: Database,
  member: Member,
  { workspaceId, now, takeTurn }: { workspaceId: number; now: string; takeTurn?: TakeTurn },
  required: Statement[],
): Promise<void> {
  const { id, validUntil, workspaceId: at, renewalPaused } = envelopeDocuments;
  const limit = takeTurn ? SEEN.inTurn : SEEN.atOnce;
  for (let last = sql`'', 0`; ; ) {
    await takeTurn?.();
    const page = await db
      .select({ id, validUntil, isPaused: sql<0 | 1 | null>`${renewalPaused}` })
      .from(envelopeDocuments)
      .where(and(eq(at, workspaceId), sql`(${validUntil}, ${id}) > (${last})`))
      .orderBy(asc(validUntil), asc(id))
      .limit(limit);
    const paused = page.flatMap((row) => (row.isPaused ? row.id : []));
    const isPaused = and(
      inArray(id, listed(paused)),
      eq(at, workspaceId),
      isMember(at, member),
      sql`${renewalPaused}`,
    );
    const goOn = db.update(envelopeDocuments).set({ renewalPaused: null, checkAt: now }).where(isPaused);
    await runBatch(db, [...required, goOn]);
    const end = page.at(-1);
    if (!end || page.length < limit) return;
    last = sql`${end.validUntil}, ${end.id}`;
  }
}

const currentFiles = sql`from ${submissions} where ${submissions.envelopeDocumentId} = ${envelopeDocuments.id} and not ${submissions.superseded}`;
const later = alias(envelopes, "later");
const newer = alias(envelopeDocuments, "newer");
const newerFile = alias(submissions, "newer_file");

const SENT = ENVELOPE_STATUSES.filter((status) => !isUnsent(status));
/** An index leaves out the others, of which one recipient may have thousands. */
const isSent = sql`${later.status} in (${sql.raw(SENT.map((status) => `'${status}'`).join(", "))})`;

/**
 * Whether an envelope of the same workspace has a newer document of the same name, which an index finds. The rows of that
 * document and its envelope are read last: most are older.
 */
const isReplacedBy = (toSame: SQL, isSame: SQL) => sql`exists (select 1
  from (select max(${submissions.createdAt}) as at ${currentFiles}) as it cross join ${envelopes} as later
  cross join ${envelopeDocuments} as newer on ${newer.envelopeId} = ${later.id}
    and case when newer.name_key is null then lower(newer.name) else newer.name_key end = coalesce(${envelopeDocuments.nameKey}, lower(${envelopeDocuments.name}))
  cross join ${submissions} as newer_file on ${newerFile.envelopeDocumentId} = ${newer.id}
  where ${toSame} and ${isSent} and case when ${newerFile.createdAt} > it.at then not ${newerFile.superseded}
    and ${newer.id} <> ${envelopeDocuments.id} and ${newer.review} is not 'returned' and ${later.completedAt} is not null and ${isSame} end)`;

const toContact = sql`${later.contactId} = ${envelopes.contactId}`;
const inWorkspace = sql`${later.workspaceId} = ${envelopes.workspaceId}`;
// Those of the contact are found above.
const toAddress = sql`${inWorkspace} and ${later.customerEmail} = ${envelopes.customerEmail} and (${envelopes.contactId} is null or ${later.contactId} is not ${envelopes.contactId})`;
const toPhone = sql`(${envelopes.customerEmail} <> '' or ${later.recipientPhone} = ${envelopes.recipientPhone})`;

/** Whether the same contact or address has handed in another document of the same name later. */
export const isReplaced = sql`(${isReplacedBy(toContact, inWorkspace)} or ${isReplacedBy(toAddress, toPhone)})`;

/** A document is compared with so many envelopes while others wait; with more, it is in parts of so many. */
const MANY = { atOnce: sql.raw("500"), inTurn: 5000 };
const hasMany = (toSame: SQL) =>
  sql`(select 1 from ${envelopes} as later where ${toSame} and ${isSent} limit 1 offset ${MANY.atOnce}) is not null`;

/** The same, or NULL if `isReplacedInParts` is to read it. */
export const isReplacedIfFew = sql`case when ${hasMany(toContact)} or ${hasMany(toAddress)} then null else ${isReplaced} end`;

export async function isReplacedInParts(
  db: Database,
  documentId: number,
  takeTurn: (() => Promise<void>) | undefined,
): Promise<boolean> {
  const read = async <Value>(value: SQL<Value>) => {
    await takeTurn?.();
    const { envelopeId, id } = envelopeDocuments;
    const ofDocument = db.select({ value }).from(envelopeDocuments).where(eq(id, documentId));
    return (await ofDocument.innerJoin(envelopes, eq(envelopes.id, envelopeId)).get())?.value;
  };
  const sent = (toSame: SQL) =>
    sql`select ${later.id} as id from ${envelopes} as later where ${toSame} and ${isSent}`;
  const all = sql<string>`(select json_group_array(id) from (${sent(toContact)} union all ${sent(toAddress)}))`;
  const ids: number[] = JSON.parse((await read(all)) ?? "[]");
  for (let at = 0; at < ids.length; at += MANY.inTurn) {
    const isOne = sql`${later.id} in ${listed(ids.slice(at, at + MANY.inTurn))}`;
    const isSame = sql`${inWorkspace} and (${toContact} or ${toPhone})`;
    if (await read(sql<number>`${isReplacedBy(isOne, isSame)}`)) return true;
  }
  return false;
}

/** Whether a file was submitted that is not returned. */
export const isReceived = sql`(${envelopeDocuments.review} is not 'returned' and not ${envelopeDocuments.skipped} and ${isGiven})`;

const expiringRow = (replaced: SQL) =>
  jsonRow({
    requestId: envelopes.id,
    documentId: envelopeDocuments.id,
    name: envelopeDocuments.name,
    recipient: jsonRow({
      name: { sql: recipientOf(envelopes), read: (name) => name as string | null },
      email: envelopes.customerEmail,
      contactId: envelopes.contactId,
    }),
    validUntil: { sql: sql`${envelopeDocuments.validUntil}`, read: String },
    renewDays: {
      sql: sql`${envelopeDocuments.details} ->> '$.renewDays'`,
      read: (days) => days as number | null,
    },
    renewalPaused: envelopeDocuments.renewalPaused,
    // Null if it is to be read in parts.
    isCurrent: {
      sql: sql`(${isReceived} and not ${replaced})`,
      read: (is) => (is === null ? null : Boolean(is)),
    },
    timeZone: users.timeZone,
    renewal: jsonRowUnlessNull(renewals.envelopeId, {
      requestId: { sql: sql`${renewals.envelopeId}`, read: Number },
      at: renewals.createdAt,
    }),
  });
type ExpiringRow = ReturnType<ReturnType<typeof expiringRow>["read"]>;

const listedWith = (replaced: SQL): Listed<ExpiringRow> => ({
  table: envelopeDocuments as Listed<ExpiringRow>["table"],
  row: parsed(expiringRow(replaced)),
  joins: sql`cross join ${envelopes} on ${envelopes.id} = ${envelopeDocuments.envelopeId} left join ${users} on ${users.id} = ${envelopes.userId}
    left join ${renewals} on ${renewals.documentId} = ${envelopeDocuments.id} and ${renewals.validUntil} = ${envelopeDocuments.validUntil}`,
  mayBeLong: false,
});
const WHOLE = listedWith(isReplaced);
const IN_PARTS = listedWith(isReplacedIfFew);

export type ExpiringCall = {
  workspaceId?: number | undefined;
  contactId?: number | undefined;
  until?: string | undefined;
  paused?: "1" | undefined;
  inParts?: boolean;
  limit: number;
  cursor?: Cursor | undefined;
};

/** A page of the documents of the caller that are valid until a day, the soonest first, with those that newer ones have replaced. */
export const listExpiring = (
  db: Database,
  member: Member,
  { until, contactId, paused, inParts, ...call }: ExpiringCall,
): Promise<Page<ExpiringRow>> =>
  listPage(db, member, call, {
    order: { value: sql`own.valid_until`, descending: false },
    listed: inParts ? IN_PARTS : WHOLE,
    source: (workspaceId) => ({
      from:
        contactId === undefined
          ? sql`${envelopeDocuments} as own`
          : sql`${envelopes} as theirs cross join ${envelopeDocuments} as own on own.envelope_id = theirs.id`,
      where: [
        // Those of a contact are few: they are found by its envelopes. With the `+`, the index of the workspace's days is not read.
        sql`${contactId === undefined ? sql`` : sql`+`}own.workspace_id = ${workspaceId}`,
        sql`own.valid_until is not null`,
        ...(until === undefined ? [] : [sql`own.valid_until <= ${until}`]),
        ...(contactId === undefined ? [] : [sql`theirs.contact_id = ${contactId}`]),
        ...(paused === undefined ? [] : [sql`own.renewal_paused`]),
      ],
    }),
  });
