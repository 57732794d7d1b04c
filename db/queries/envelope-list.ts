import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  DEFAULT_SORT,
  type Sort,
  type SortKey,
  sortState,
  TABS,
  type Tab,
} from "../../worker/contract/list-orders";
import { CHANNELS, REQUEST_KINDS } from "../../worker/contract/notifications";
import type { EnvelopeStatus } from "../../worker/contract/options";
import { SENDING_MS } from "../../worker/contract/request-words";
import type { Database } from "../client";
import {
  answers,
  contacts,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  fileDeliveries,
  notifications,
  submissions,
  uploads,
  workspaceMembers,
} from "../schema";
import { failedDeliveries } from "./delivery-problems";
import { MOST_BYTES } from "./envelope-parts";
import {
  completeEnvelopes,
  completeListed,
  envelopeRow,
  fullParts,
  isItsContact,
  listedEnvelopeRow,
} from "./envelopes";
import { type Json, jsonRow } from "./json-row";
import { isGiven, isGivenIf, isUnreviewedIf } from "./list-columns";
import { isMember, type Member } from "./members";
import { ACCOUNT } from "./notification-claims";
import {
  aggregate,
  asText,
  type Listed,
  listPage,
  type Order,
  type Page,
  type PageCall,
  type Parts,
  parsed,
  type Source,
} from "./paging";
import { listed as oneOf, type TakeTurn } from "./query-helpers";
import { matches, recipientOf } from "./search";

/** Which envelopes a list finds; what is absent does not narrow it. */
export type EnvelopeFilter = {
  tab?: Tab | undefined;
  /** Folded, see `foldText`. */
  filter?: string | undefined;
  /** Of `textKey`: those whose recipient has it and whose subject does not have the filter. */
  recipient?: string | undefined;
  /** Of `searchExpression`. */
  expression?: string | undefined;
  assigneeId?: number | undefined;
  contactId?: number | undefined;
  bulkId?: number | undefined;
  seriesId?: number | undefined;
  templateId?: number | undefined;
  ids?: readonly number[] | undefined;
  opened?: "never" | undefined;
  messages?: "undelivered" | undefined;
  deliveries?: "failed" | undefined;
};
type SearchCall = EnvelopeFilter & {
  now: string;
  /** Waits for the caller's turn: a search then reads in parts. */
  takeTurn?: TakeTurn;
};
type ListCall = PageCall & SearchCall & { sort?: Sort | undefined };

/** SQLite has no boolean in JSON. */
const bool = (condition: SQL) => sql`json(iif(${condition}, 'true', 'false'))`;

const own = alias(envelopes, "own");
type Row = typeof own | typeof envelopes;

const is = (row: Row, status: EnvelopeStatus) => sql`${row.status} = ${sql.raw(`'${status}'`)}`;
// Not `expiresAt`: SQLite would read each row for a generated column, although the index contains the columns it is
// computed from.
const endOfLink = (row: Row) => sql`coalesce(${row.endOfLastDay}, ${row.expirationDate} || 'T23:59:59.999Z')`;
const hasExpired = (row: Row, now: string | SQL) =>
  sql`(${is(row, "pending")} and ${endOfLink(row)} < ${now})`;
export const isWaiting = (row: Row, now: string | SQL) =>
  sql`(${is(row, "pending")} and ifnull(${endOfLink(row)} >= ${now}, true))`;
const isOverdue = (row: Row, now: string | SQL) =>
  sql`(${isWaiting(row, now)} and ${row.endOfDueDay} < ${now})`;
export const awaitsReview = (row: Row) => sql`(${is(row, "completed")} and ${row.toReview} > 0)`;
/** How many envelopes of a workspace wait for their recipient or the review, by whom they are assigned to. */
export const selectLoads = (db: Database, member: Member, workspaceId: number, now: string) =>
  db
    .select({ userId: own.userId, open: sql<number>`count(*)` })
    .from(own)
    .where(
      and(
        eq(own.workspaceId, workspaceId),
        isMember(workspaceId, member),
        sql`(${isWaiting(own, now)} or ${awaitsReview(own)})`,
      ),
    )
    // The plus, so that SQLite reads an index of lists alone, not the rows in the order of the accounts.
    .groupBy(sql`+${own.userId}`);
const remindedAt = (row: Row) => sql`iif(${is(row, "pending")}, ${row.remindedAt}, null)`;
export const isOpened = (row: Row) =>
  sql`exists (select 1 from ${envelopeEvents} where ${envelopeEvents.envelopeId} = ${row.id} and ${envelopeEvents.kind} = 'opened')`;

const isRequest = sql`${notifications.kind} in (${sql.raw(REQUEST_KINDS.map((kind) => `'${kind}'`).join())})`;
const queuedSince = (row: Row) =>
  sql`(select min(${notifications.createdAt}) from ${notifications} where ${notifications.envelopeId} = ${row.id} and ${notifications.status} = 'queued' and ${isRequest})`;
/** `isUndelivered` in SQL. */
function isUndelivered(workspaceId: SQL, now: string): SQL {
  const waitsSince = new Date(Date.parse(now) - SENDING_MS).toISOString();
  const failed = sql`select failed.id from ${envelopes} as failed where failed.workspace_id = ${workspaceId} and failed.delivery = 'failed'`;
  // Cross joins and the plus, so that SQLite reads what waits of the workspace's members alone.
  const waiting = sql`select ${notifications.envelopeId} from ${workspaceMembers} as person cross join json_each(${JSON.stringify(CHANNELS)})
    cross join ${notifications} where person.workspace_id = ${workspaceId} and ${notifications.channel} = json_each.value
    and ${ACCOUNT} = +person.user_id and ${notifications.status} = 'queued' and ${isRequest} and ${notifications.createdAt} <= ${waitsSince}`;
  return sql`(${own.id} in (${failed} union all ${waiting}) and ${own.status} in ('pending', 'expired') and ${own.delivery} in ('failed', 'pending'))`;
}

const inTab = (tab: Tab, now: string): SQL =>
  ({
    all: () => sql`true`,
    waiting: () => isWaiting(own, now),
    overdue: () => isOverdue(own, now),
    toReview: () => awaitsReview(own),
    completed: () => sql`(${is(own, "completed")} and ${own.toReview} = 0)`,
    expired: () => sql`(${is(own, "expired")} or ${hasExpired(own, now)})`,
    scheduled: () => is(own, "scheduled"),
    drafts: () => is(own, "draft"),
  })[tab]();

const SORTED_BY: Record<SortKey, (now: string) => Omit<Order, "descending">> = {
  subject: () => ({ value: sql`${own.subjectKey}`, mayLack: true }),
  recipient: () => ({ value: sql`${own.recipientKey}`, mayLack: true }),
  status: (now) => ({
    value: sql`case when ${is(own, "draft")} then 0 when ${is(own, "scheduled")} then 1 when ${inTab("expired", now)} then 3 when ${is(own, "pending")} then 2 when ${awaitsReview(own)} then 4 else 5 end`,
  }),
  created: () => ({}),
  due: () => ({ value: sql`iif(${is(own, "completed")}, null, ${own.dueDate})`, mayLack: true }),
  expires: () => ({ value: sql`iif(${is(own, "completed")}, null, ${own.expirationDate})`, mayLack: true }),
  reminded: () => ({ value: remindedAt(own), mayLack: true }),
  sends: () => ({
    ...{ value: sql`iif(${is(own, "scheduled")}, ${own.sendOn}, null)`, mayLack: true },
    has: is(own, "scheduled"),
  }),
};

/** Those that are linked to the contact or, in its workspace, were sent to its address: each once, as SQLite sorts them all. */
function ofContact(contactId: number): SQL {
  const known = sql`select known.workspace_id, known.email from ${contacts} as known where known.id = ${contactId}`;
  const linked = alias(envelopes, "linked");
  return sql`${own.id} in (select ${linked.id} from ${envelopes} as linked where ${linked.contactId} = ${contactId} union all
    select ${linked.id} from ${envelopes} as linked where (${linked.workspaceId}, ${linked.customerEmail}) = (${known}) and ${linked.contactId} is not ${contactId})
    and ${own.workspaceId} = (select known.workspace_id from ${contacts} as known where known.id = ${contactId})`;
}

const inSubject = (part: string) => sql`(${own.filterText} <> '' and instr(${own.filterText}, ${part}))`;

/** Finds them in the index of recipients, unless a search reads the rows: the one that a list is read by lacks them. */
function ofRecipient(workspaceId: unknown, { filter = "", recipient, expression }: EnvelopeFilter): SQL {
  const named = alias(envelopes, "named");
  const isTheirs =
    expression === undefined
      ? sql`${own.id} in (select ${named.id} from ${envelopes} as named where ${named.workspaceId} = ${workspaceId} and instr(${named.recipientKey}, ${recipient}))`
      : sql`instr(${own.recipientKey}, ${recipient})`;
  return sql`${isTheirs} and not ${inSubject(filter)}`;
}

/** Of a contact's envelopes with files that are not deleted, newest first; any of them if there are more than the limit. */
export async function listIdsWithFiles(
  db: Database,
  member: Member,
  { contactId, limit }: { contactId: number; limit: number },
): Promise<number[]> {
  const hasFiles = sql`exists (select 1 from ${submissions} where ${submissions.envelopeId} = ${own.id} and ${submissions.deletedAt} is null)`;
  const rows = await db
    .select({ id: own.id })
    .from(own)
    .where(and(isMember(own.workspaceId, member), ofContact(contactId), hasFiles))
    .limit(limit);
  return rows.map(({ id }) => id).sort((one, other) => other - one);
}

/** The envelopes `own` of a workspace that are in the tab and satisfy all other conditions. */
function sourceOf({ tab = "all", ...filter }: EnvelopeFilter, now: string): Source {
  const { expression, assigneeId, contactId, bulkId, seriesId, templateId, ids } = filter;
  const where = [
    ...(assigneeId === undefined ? [] : [sql`${own.userId} = ${assigneeId}`]),
    ...(bulkId === undefined ? [] : [sql`${own.bulkId} = ${bulkId}`]),
    ...(seriesId === undefined ? [] : [sql`${own.seriesId} = ${seriesId}`]),
    ...(templateId === undefined ? [] : [sql`${own.templateId} = ${templateId}`]),
    ...(ids === undefined ? [] : [sql`${own.id} in ${oneOf(ids)}`]),
    ...(contactId === undefined ? [] : [ofContact(contactId)]),
    ...(filter.opened ? [sql`${own.status} not in ('draft', 'scheduled') and not ${isOpened(own)}`] : []),
    ...(filter.filter === undefined || filter.recipient !== undefined ? [] : [inSubject(filter.filter)]),
    ...(tab === "all" ? [] : [inTab(tab, now)]),
  ];
  return (workspaceId, block) => {
    const inWorkspace = sql`${own.workspaceId} = ${workspaceId}`;
    const ofWorkspace = filter.recipient === undefined ? [] : [ofRecipient(workspaceId, filter)];
    if (filter.deliveries) ofWorkspace.push(sql`${own.id} in (${failedDeliveries(workspaceId)})`);
    if (filter.messages) ofWorkspace.push(isUndelivered(workspaceId, now));
    if (expression === undefined) {
      // All of a contact's envelopes are found before the first one is read: only in its own workspace.
      const from = contactId === undefined ? sql`` : sql`${contacts} as place cross join `;
      const isPlace = sql`place.id = ${contactId} and place.workspace_id = ${workspaceId}`;
      if (contactId !== undefined) ofWorkspace.push(isPlace);
      return { from: sql`${from}${envelopes} as own`, where: [inWorkspace, ...ofWorkspace, ...where] };
    }
    const found = matches(expression, workspaceId, block);
    return {
      from: sql`${found.from} cross join ${envelopes} as own on ${own.id} = envelope_search.rowid`,
      where: [found.where, inWorkspace, ...ofWorkspace, ...where],
      isSearch: true,
    };
  };
}

function orderOf({ sort = DEFAULT_SORT, now, bulkId, seriesId, templateId }: ListCall): Order {
  const { key, descending } = sortState(sort);
  const order = { ...SORTED_BY[key](now), descending };
  // The plus, so that SQLite sorts them, instead of reading all of the workspace in that order to find them.
  const isOfOne = bulkId !== undefined || seriesId !== undefined || templateId !== undefined;
  return order.value && isOfOne ? { ...order, value: sql`+${order.value}` } : order;
}

const partsOf = async ({ expression, takeTurn }: SearchCall): Promise<Parts | undefined> =>
  expression === undefined || !takeTurn ? undefined : (await import("./search-in-blocks")).inBlocks(takeTurn);

const listOf =
  <Row>(listed: Listed<Row>) =>
  async (db: Database, member: Member, call: ListCall): Promise<Page<Row>> =>
    listPage(db, member, call, {
      ...{ source: sourceOf(call, call.now), order: orderOf(call), listed },
      parts: await partsOf(call),
    });

/** In bytes: of short documents and files, a response has more names of fields than values. */
const NAMES = { envelope: 800, document: 330, file: 140 };
/** In bytes, a file where there are many. */
const LACKED = { file: 450, many: 130 };
/** In bytes, a delivery of a file, which a row that is read here lacks. */
const DELIVERY = 400;

const whole = {
  table: envelopes,
  mayBeLong: true,
  joins: asText(sql`left join ${contacts} on ${isItsContact}`),
  names: (id: SQL) =>
    sql`${NAMES.envelope} + (select iif(long.text_bytes > ${MOST_BYTES}, long.text_bytes, 0) from ${envelopes} as long where long.id = ${id}) + ${NAMES.document} * (select count(*) from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${id})
      + (select count(*) * iif(count(*) > ${LACKED.many}, ${LACKED.file}, ${NAMES.file}) from ${submissions} where ${submissions.envelopeId} = ${id})
      + ${DELIVERY} * (select count(*) from ${fileDeliveries} where ${fileDeliveries.envelopeId} = ${id})`,
};

const listCompleted =
  <Row, Complete>(
    list: (db: Database, member: Member, call: ListCall) => Promise<Page<Row>>,
    complete: (db: Database, rows: readonly Row[], takeTurn: TakeTurn) => Promise<Complete[]>,
  ) =>
  async (db: Database, member: Member, call: ListCall): Promise<Page<Complete>> => {
    const { rows, next } = await list(db, member, call);
    return { rows: await complete(db, rows, call.takeTurn), next };
  };

/** Without the values of what was submitted, which lists do not show. */
export const listEnvelopes = listCompleted(
  listOf({ ...whole, row: parsed(listedEnvelopeRow) }),
  completeListed,
);
export const listWholeEnvelopes = listCompleted(
  listOf({
    ...{ ...whole, row: parsed(envelopeRow) },
    names: (id) =>
      sql`${whole.names(id)} + (select iif(${fullParts.isShort}, 0, (select ifnull(sum(octet_length(${answers.value})), 0) from ${answers} where ${answers.envelopeId} = ${envelopes.id})) from ${envelopes} where ${envelopes.id} = ${id})`,
  }),
  completeEnvelopes,
);

/** A page of what a row of a list shows of the caller's envelopes, as JSON. */
export const listEnvelopeRows = listOf({
  ...{
    table: envelopes,
    row: rowText({ counted: { documents: sql`count(*) filter (where not ${envelopeDocuments.hidden})` } }),
    mayBeLong: false,
  },
});

/** The same with the documents of each, for a board. */
export const listBoardRows = listOf({
  ...{ table: envelopes, row: rowText({ documents: boardDocuments() }), mayBeLong: true },
});

function boardDocuments() {
  const { id, name, required, skipped, review, skipReason, reviewReason } = envelopeDocuments;
  const files = sql`count(${submissions.id})`;
  const given = isGivenIf(sql`${files} > 0`);
  const isReturned = sql`${review} is 'returned'`;
  const isDeleted = sql`${files} > 0 and count(*) filter (where ${submissions.id} is not null and ${submissions.deletedAt} is null) = 0`;
  const hasBytes = sql`exists (select 1 from ${uploads} where ${uploads.envelopeDocumentId} = ${id} and ${uploads.offset} > 0)`;
  const isOpen = sql`(${isReturned} or ${review} is null and (${skipped} or not ${given}))`;
  const state = sql`case when ${isOpen} and ${isWaiting(envelopes, sql`called.now`)} and ${hasBytes} then 'arriving'
    when ${isReturned} then 'returned' when ${isDeleted} then 'deleted' when ${review} is not null then ${review}
    when ${skipped} then 'skipped' when ${given} then 'received' when ${envelopeDocuments.hidden} then 'hidden' else 'open' end`;
  const document = sql`json_object('id', ${id}, 'name', ${name}, 'required', ${bool(sql`${required}`)}, 'state', ${state}, 'files', ${files},
    'opened', count(${submissions.openedAt}), 'toReview', ${bool(sql`${envelopes.filesDeletedAt} is null and ${isUnreviewedIf(given)}`)},
    'reason', iif(${skipped} and not ${isReturned}, ${skipReason}, ${reviewReason}))`;
  // In the order of the index, so that nothing is sorted; as text, since SQLite would parse each document twice.
  return sql`(select '[' || ifnull(group_concat(document), '') || ']' from (select ${document} as document from ${envelopeDocuments}
    left join ${submissions} on ${submissions.envelopeDocumentId} = ${id} and not ${submissions.superseded}
    where ${envelopeDocuments.envelopeId} = ${envelopes.id} group by ${envelopeDocuments.position}, ${id} order by ${envelopeDocuments.position}, ${id}))`;
}

/** A row with its documents, as the text of an array, or with what else is counted of them. */
function rowText({ documents, counted = {} }: { documents?: SQL; counted?: Record<string, SQL> }) {
  const [row, now] = [envelopes, sql`called.now`];
  const value = {
    id: row.id,
    subject: row.subject,
    recipient: recipientOf(row),
    status: sql`iif(${hasExpired(row, now)}, 'expired', ${row.status})`,
    assigneeId: row.userId,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    completedAt: row.completedAt,
    dueDate: row.dueDate,
    expirationDate: row.expirationDate,
    remindedAt: remindedAt(row),
    delivery: row.delivery,
    files: sql`(select count(*) from ${submissions} where ${submissions.envelopeId} = ${row.id} and not ${submissions.superseded})`,
    toReview: row.toReview,
  };
  const counts = {
    ...counted,
    questions: sql`count(*) filter (where ${envelopeDocuments.kind} <> 'file')`,
    received: sql`count(*) filter (where ${envelopeDocuments.review} is not 'returned' and ${isGiven})`,
    returned: sql`count(*) filter (where ${envelopeDocuments.review} is 'returned')`,
  };
  const flags = {
    isNew: sql`${row.isNew} and ${is(row, "completed")}`,
    opened: isOpened(row),
    overdue: isOverdue(row, now),
  };
  // A function of D1 has at most 32 arguments, so that there can be two values more.
  const members = Object.entries(value).map(([name, part]) => sql`${sql.raw(`'${name}'`)}, ${part}`);
  // One read of the documents for all their counts.
  const numbers = Object.entries(counts).map(([name, count]) => sql`${sql.raw(`',"${name}":'`)} || ${count}`);
  const ofDocuments = sql`(select ${sql.join(numbers, sql` || `)} from ${envelopeDocuments} where ${envelopeDocuments.envelopeId} = ${row.id})`;
  // SQLite has no boolean in JSON.
  const rest = Object.entries(flags).map(
    ([name, flag]) => sql`iif(${flag}, ${sql.raw(`',"${name}":true'`)}, ${sql.raw(`',"${name}":false'`)})`,
  );
  const all = documents ? sql`',"documents":' || ${documents} || ` : sql``;
  const waitsSince = sql`iif(${row.delivery} = 'pending', ifnull(',"queuedSince":"' || ${queuedSince(row)} || '"', ''), '')`;
  const sending = sql`iif(${is(row, "scheduled")}, ',"sendOn":"' || ${row.sendOn} || '","sendHour":' || ${row.sendHour}, '')`;
  return {
    sql: asText(
      sql`rtrim(json_object(${sql.join(members, sql`, `)}), '}') || ${ofDocuments} || ${all}${sql.join(rest, sql` || `)} || ${waitsSince} || ${sending} || '}'`,
    ),
    read: (text: string) => text,
  };
}

/** The number of envelopes by tab; the completed ones include those to review. */
export type EnvelopeCounts = Record<Tab, number>;

/** Counts what the filter finds in each tab. */
export async function countEnvelopes(
  db: Database,
  member: Member,
  { workspaceId, tab: _, ...call }: SearchCall & { workspaceId?: number | undefined },
): Promise<EnvelopeCounts> {
  const counted = (where: SQL): Json<number> => ({
    sql: sql`count(*) filter (where ${where})`,
    read: Number,
  });
  const byTab = Object.fromEntries(
    TABS.map((tab) => [tab, counted(tab === "completed" ? is(own, "completed") : inTab(tab, call.now))]),
  ) as Record<Tab, Json<number>>;
  return aggregate(db, member, workspaceId, {
    ...{ source: sourceOf(call, call.now), totals: jsonRow(byTab), parts: await partsOf(call) },
  });
}

/** How many envelopes of these contacts wait for documents, and how many of them are overdue; contacts without any are not in it. */
export async function countOpen(db: Database, member: Member, contactIds: readonly number[], now: string) {
  // As `ofContact` finds them, each by an index that has all that is read: those that are both linked and sent to the address
  // are subtracted. Those to an address are counted once, however many contacts have it.
  const isLate = sql`(${own.endOfDueDay} < ${now}) is true`;
  const numbers = sql`count(*) as open, sum(${isLate}) as overdue`;
  const rows = await db.values<[id: number, open: number, overdue: number]>(
    sql`with theirs as materialized (select ${contacts.id} as id, ${contacts.workspaceId} as workspace_id, ${contacts.email} as email from ${contacts}
        where ${contacts.id} in ${oneOf(contactIds)} and ${isMember(contacts.workspaceId, member)}),
      addresses as materialized (select distinct workspace_id, email from theirs where email is not null),
      sent as materialized (select addresses.workspace_id, addresses.email, ${numbers} from addresses
        cross join ${envelopes} as own on ${own.workspaceId} = addresses.workspace_id and ${own.customerEmail} = addresses.email
        where ${isWaiting(own, now)} group by 1, 2)
      select id, sum(open), sum(overdue) from (
        select theirs.id as id, sent.open, sent.overdue from theirs join sent on sent.workspace_id = theirs.workspace_id and sent.email = theirs.email
        union all
        select theirs.id, ${numbers} from theirs cross join ${envelopes} as own on ${own.contactId} = theirs.id where ${isWaiting(own, now)} group by 1
        union all
        select theirs.id, -count(*), -sum(${isLate}) from theirs cross join ${envelopes} as own
          on ${own.workspaceId} = theirs.workspace_id and ${own.customerEmail} = theirs.email and ${own.contactId} = theirs.id where ${isWaiting(own, now)} group by 1
      ) group by 1`,
  );
  // A row of libSQL has indexes, and is no array.
  return new Map(
    rows.map(({ 0: id, 1: open, 2: overdue }) => [id, { openRequests: open, overdueRequests: overdue }]),
  );
}
