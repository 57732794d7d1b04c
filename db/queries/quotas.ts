import { and, eq, not, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { CONTACT_FIELDS } from "../../worker/contract/contacts";
import {
  type AccountQuota,
  DECLARED_BYTES,
  NO_QUOTA,
  type Quotas,
  type Usage,
} from "../../worker/contract/quotas";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  answers,
  attachments,
  bulkRecipients,
  bulkSends,
  contacts,
  envelopeDocuments,
  envelopes,
  series,
  submissions,
  templates,
  uploadLeases,
  uploads,
  users,
  workspaceMembers,
  workspaces,
} from "../schema";
import { bind, prepared } from "./query-helpers";

/** The quotas as values or, in a prepared query, as placeholders. */
type Given<Values> = { [Name in keyof Values]: Values[Name] | Placeholder };

/** The placeholders of quotas in a prepared query. */
export const GIVEN_QUOTAS = {
  envelopeBytes: sql.placeholder("envelopeBytes"),
  accountBytes: sql.placeholder("accountBytes"),
  uploadsPerEnvelope: sql.placeholder("uploadsPerEnvelope"),
};

/** Columns of `Usage`, for a select from envelopes. */
function usageColumns(quotas: Given<AccountQuota>) {
  const assignee = sql`${envelopes.userId}`;
  const accountLimit = limitOf(assignee, quotas);
  return {
    envelopeBytes: sql<number>`${envelopeBytes}`,
    accountBytes: sql<
      number | null
    >`case when ${accountLimit} is not null then ${accountBytes(assignee)} end`,
    accountLimit: sql<number | null>`${accountLimit}`,
    workspaceLeft: sql<number | null>`${leftIn(envelopes.workspaceId)}`,
    uploads: sql<number>`${uploadsUnderWay}`,
  };
}

/**
 * Whether the row's envelope, its assignee and its workspace stay within the quotas with this many additional bytes.
 * @param handedInAt of the files that the batch has recorded, which count although their documents are still asked for
 */
export function withinQuotas(
  quotas: Given<Quotas>,
  bytes: number | Placeholder | SQL,
  handedInAt?: string,
): SQL | undefined {
  return and(
    sql`${handedInAt === undefined ? envelopeBytes : bytesOfEnvelope(handedInAt)} + ${bytes} <= ${quotas.envelopeBytes}`,
    not(exceedsQuota(sql`${envelopes.userId}`, envelopes.workspaceId, quotas, bytes)),
  );
}

/** Whether the account or the workspace would have more than its limit. Storage is summed up only where there is one. */
function exceedsQuota(
  account: SQL,
  workspaceId: SQLiteColumn,
  quotas: Given<AccountQuota>,
  bytes: number | Placeholder | SQL,
): SQL {
  const limit = limitOf(account, quotas);
  return sql`(case when ${limit} is null then 0 else ${accountBytes(account)} + ${bytes} > ${limit} end or ifnull(${leftIn(workspaceId)} < ${bytes}, 0))`;
}

/**
 * The statement that makes a batch fail, see `isQuotaExceeded`, if the workspace or the account whose rows the batch has
 * written has more than its limit after it.
 */
export const requireWithinQuota = (
  db: Database,
  quotas: AccountQuota,
  { workspaceId, userId }: { workspaceId: number | SQL; userId: number | SQL },
): Statement =>
  typeof workspaceId === "number" && typeof userId === "number"
    ? bind(knownQuota(db), { accountBytes: quotas.accountBytes, workspaceId, userId })
    : requireQuota(db, quotas, { workspaceId, userId });

/** A full quota keeps nobody from answering in short. */
const SHORT_ANSWERS = 64 * 1024;

/** The same for the account and the workspace of an envelope, unless all of its answers are short. */
export const requireSpaceForAnswers = (
  db: Database,
  quotas: AccountQuota,
  { id, userId }: { id: number; userId: number },
): Statement =>
  requireQuota(db, quotas, {
    workspaceId: sql`(select ${envelopes.workspaceId} from ${envelopes} where ${envelopes.id} = ${id}
      and (select sum(octet_length(${answers.value})) from ${answers} where ${answers.envelopeId} = ${id}) > ${SHORT_ANSWERS})`,
    userId,
  });

const requireQuota = (
  db: Database,
  quotas: Given<AccountQuota>,
  { workspaceId, userId }: Record<"workspaceId" | "userId", number | Placeholder | SQL>,
) =>
  db
    .update(workspaces)
    .set({ name: sql`null` })
    .where(
      and(eq(workspaces.id, sql`${workspaceId}`), exceedsQuota(sql`${userId}`, workspaces.id, quotas, 0)),
    );

const knownQuota = prepared((db) =>
  requireQuota(db, GIVEN_QUOTAS, {
    workspaceId: sql.placeholder("workspaceId"),
    userId: sql.placeholder("userId"),
  }).prepare(),
);

/** Whether a batch failed by `requireWithinQuota`. */
export const isQuotaExceeded = (error: unknown) => violates(error, "not null", workspaces.name);

/** Whether the quotas allow the row's upload to have received so many of its declared bytes. */
export function canReceive(quotas: Quotas, bytes: number): SQL {
  const rest = sql`(select sum(${uploads.fileSize} - ${uploads.offset}) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)})`;
  const added = sql`(${bytes} + ${announced(sql`${rest} - ${bytes}`)} - ${announced(rest)})`;
  return sql`exists (select 1 from ${envelopes} where ${envelopes.id} = ${uploads.envelopeId} and ${withinQuotas(quotas, added)})`;
}

/** What counts of the declared bytes that were not received yet. */
const announced = (declared: SQL) => sql`min(${DECLARED_BYTES}, ${declared})`;

/** What a workspace may have beyond what it has; NULL without a limit of its own. */
const leftIn = (id: SQLiteColumn) =>
  sql`(select limited.storage_quota - ${heldIn(sql`(limited.id)`)} - ${countedUploads(inWorkspaces(sql`(limited.id)`))} from ${workspaces} as limited where limited.id = ${id} and limited.storage_quota is not null)`;

/** The limit of an account: its own, otherwise the instance's. NULL for no limit. */
const limitOf = (owner: SQL, { accountBytes }: Given<AccountQuota>) =>
  sql`nullif(coalesce((select ${users.storageQuota} from ${users} where ${users.id} = ${owner}), ${accountBytes}), ${NO_QUOTA})`;

/** Whether one more upload may begin for the row's envelope. */
export const canBeginUpload = (quotas: Given<Quotas>): SQL =>
  sql`${uploadsUnderWay} < ${quotas.uploadsPerEnvelope}`;

/** The stored and running uploads of the envelope behind the link; undefined if there is none. */
export const findUsage = (
  db: Database,
  submissionToken: string,
  quotas: Quotas,
): Promise<Usage | undefined> => usageQuery(db).get({ submissionToken, ...quotas });

/** The same as a statement for a batch. */
export const selectUsage = (db: Database, submissionToken: string, quotas: Quotas) =>
  bind(usageQuery(db), { submissionToken, ...quotas });

const usageQuery = prepared((db) =>
  db
    .select(usageColumns(GIVEN_QUOTAS))
    .from(envelopes)
    .where(eq(envelopes.submissionToken, sql.placeholder("submissionToken")))
    .prepare(),
);

/** What the unfinished uploads of an envelope have sent, and what counts of what they have declared. */
const RECEIVED = sql`sum(${uploads.offset})`;
const ANNOUNCED = announced(sql`sum(${uploads.fileSize} - ${uploads.offset})`);

// Of one envelope.
const staged = sql`(select coalesce(${RECEIVED} + ${ANNOUNCED}, 0) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)})`;
const leased = sql`(select coalesce(sum(${uploadLeases.bytes}), 0) from ${uploadLeases} where not ${uploadLeases.revoked} and ${eq(uploadLeases.envelopeId, envelopes.id)})`;
/** Without files that were replaced, and those that are asked for again, which would keep out what replaces them. */
const bytesOfEnvelope = (handedInAt?: string) => {
  const returned = sql`asked.review = 'returned' and ${handedInAt === undefined ? sql`1` : sql`file.created_at < ${handedInAt}`}`;
  const replaced = sql`(select coalesce(sum(file.file_size), 0) from ${submissions} as file left join ${envelopeDocuments} as asked on asked.id = file.envelope_document_id
    where file.envelope_id = ${envelopes.id} and file.deleted_at is null and (file.superseded or ${returned}))`;
  return sql`(${envelopes.fileBytes} - ${replaced} + ${staged} + ${leased})`;
};
const envelopeBytes = bytesOfEnvelope();

// Of many, which are called `other`. A cross join reads them in this order, and thus none of another account.
const inWorkspaces = (ids: SQL) => sql`other.workspace_id in ${ids}`;
const assignedTo = (account: SQL) => sql`other.user_id = ${account}`;

const files = (which: SQL) =>
  sql`(select coalesce(sum(other.file_bytes), 0) from ${envelopes} as other where ${which})`;
const unfinished = (which: SQL, bytes: SQL) =>
  sql`(select coalesce(sum(bytes), 0) from (select ${bytes} as bytes from ${envelopes} as other cross join ${uploads} on ${uploads.envelopeId} = other.id where ${which} group by other.id))`;
const leases = (which: SQL) =>
  sql`(select coalesce(sum(${uploadLeases.bytes}), 0) from ${envelopes} as other cross join ${uploadLeases} on ${uploadLeases.envelopeId} = other.id where not ${uploadLeases.revoked} and ${which})`;
/** What running and unfinished uploads count towards the quotas. */
const countedUploads = (which: SQL) =>
  sql`(${unfinished(which, sql`${RECEIVED} + ${ANNOUNCED}`)} + ${leases(which)})`;

/** Added in pairs: in a chain, each term makes the expression deeper, and D1 accepts a depth of 100. */
const sumOf = (terms: readonly SQL[]): SQL => {
  if (terms.length < 2) return terms[0] ?? sql`0`;
  const half = Math.ceil(terms.length / 2);
  return sql`(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`;
};

const bytesOf = (...columns: SQLiteColumn[]) =>
  sumOf(columns.map((column) => sql`coalesce(octet_length(${column}), 0)`));
const counted = {
  contacts: alias(contacts, "counted"),
  templates: alias(templates, "counted"),
  envelopes: alias(envelopes, "counted"),
  series: alias(series, "counted"),
  bulkSends: alias(bulkSends, "counted"),
};
const OWN = (account: SQL) => sql`counted.user_id = ${account}`;
/** Of rows that have no limit but the number of them. An envelope that a bulk send has yet to create counts with that. */
const TEXTS = [
  {
    table: contacts,
    whose: OWN,
    // No tags are stored as an empty list, which counts as no text. Their length, as SQLite reads the notes before their value.
    bytes: sql`${bytesOf(...CONTACT_FIELDS.map((field) => counted.contacts[field]))} - 2 * (octet_length(${counted.contacts.tags}) = 2)`,
  },
  {
    table: templates,
    whose: OWN,
    bytes: bytesOf(
      ...[counted.templates.name, counted.templates.description, counted.templates.fields],
      ...[counted.templates.subject, counted.templates.message],
    ),
  },
  { table: envelopes, whose: OWN, bytes: sql`${counted.envelopes.textBytes}` },
  { table: series, whose: OWN, bytes: sql`${counted.series.textBytes}` },
  {
    table: bulkSends,
    whose: (account: SQL) =>
      sql`counted.created_by = ${account} and counted.workspace_id in (select me.workspace_id from ${workspaceMembers} as me where me.user_id = ${account})`,
    bytes: sql`iif(${counted.bulkSends.textBytes} = 0, 0, ${counted.bulkSends.textBytes} * (select count(*) from ${bulkRecipients} where ${bulkRecipients.bulkId} = ${counted.bulkSends.id} and ${bulkRecipients.state} <> 'created') / ${counted.bulkSends.total})`,
  },
];

/** The bytes of the texts in the rows that match. */
const textsOf = (which: (table: (typeof TEXTS)[number]) => SQL) =>
  sumOf(
    TEXTS.map(
      (text) =>
        sql`(select coalesce(sum(${text.bytes}), 0) from ${text.table} as counted where ${which(text)})`,
    ),
  );

/** The bytes of all texts of the instance. */
export const allTextBytes = textsOf(() => sql`1`);

const forms = (which: SQL) =>
  sql`(select coalesce(sum(form.file_size), 0) from ${attachments} as form where form.workspace_id in ${which})`;

/** What is stored in these workspaces, whoever it belongs to, without unfinished uploads: files, forms, logos and texts. */
const heldIn = (workspaceIds: SQL) =>
  sumOf([
    files(inWorkspaces(workspaceIds)),
    forms(workspaceIds),
    sql`(select coalesce(sum(owned.logo_size), 0) from ${workspaces} as owned where owned.id in ${workspaceIds})`,
    textsOf(() => sql`counted.workspace_id in ${workspaceIds}`),
  ]);

/** The same, with what unfinished uploads have sent. */
export const bytesIn = (workspaceIds: SQL) =>
  sql`(${heldIn(workspaceIds)} + ${unfinished(inWorkspaces(workspaceIds), RECEIVED)})`;

/**
 * What is held of an account in all workspaces: the envelopes that are assigned to it, the contacts and templates that it
 * has created, the logos and forms of workspaces that it is the owner of record of, and its picture.
 */
const heldBy = (account: SQL) =>
  sumOf([
    files(assignedTo(account)),
    forms(sql`(select owned.id from ${workspaces} as owned where owned.user_id = ${account})`),
    sql`(select coalesce(sum(owned.logo_size), 0) from ${workspaces} as owned where owned.user_id = ${account})`,
    sql`coalesce((select person.avatar_size from ${users} as person where person.id = ${account}), 0)`,
    textsOf(({ whose }) => whose(account)),
  ]);

/** The same, with what unfinished uploads have sent. */
export const storedBytes = (account: SQL) =>
  sql`(${heldBy(account)} + ${unfinished(assignedTo(account), RECEIVED)})`;

/** What running uploads reserve beyond the bytes they have sent. */
export const reservedBytes = (account: SQL) =>
  sql`(${unfinished(assignedTo(account), ANNOUNCED)} + ${leases(assignedTo(account))})`;

const accountBytes = (account: SQL) => sql`(${heldBy(account)} + ${countedUploads(assignedTo(account))})`;

const uploadsUnderWay = sql`((select count(*) from ${uploadLeases} where ${eq(uploadLeases.envelopeId, envelopes.id)} and not ${uploadLeases.revoked})
  + (select count(*) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)} and ${uploads.completedAt} is null))`;
