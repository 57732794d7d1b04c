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
  bulkRecipients,
  bulkSends,
  contacts,
  envelopes,
  submissions,
  templates,
  uploadLeases,
  uploads,
  users,
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
  const accountLimit = limitOf(ownerOfRecord, quotas);
  return {
    envelopeBytes: sql<number>`${envelopeBytes}`,
    accountBytes: sql<
      number | null
    >`case when ${accountLimit} is not null then ${accountBytes(ownerOfRecord)} end`,
    accountLimit: sql<number | null>`${accountLimit}`,
    uploads: sql<number>`${uploadsUnderWay}`,
  };
}

/** Whether the row's envelope and its account stay within the quotas with this many additional bytes. */
export function withinQuotas(quotas: Given<Quotas>, bytes: number | Placeholder | SQL): SQL | undefined {
  return and(
    sql`${envelopeBytes} + ${bytes} <= ${quotas.envelopeBytes}`,
    not(exceedsQuota(ownerOfRecord, quotas, bytes)),
  );
}

/** Whether the account would have more than its limit. Its storage is summed up only if it has one. */
function exceedsQuota(owner: SQL, quotas: Given<AccountQuota>, bytes: number | Placeholder | SQL): SQL {
  const limit = limitOf(owner, quotas);
  return sql`case when ${limit} is null then 0 else ${accountBytes(owner)} + ${bytes} > ${limit} end`;
}

/**
 * The statement that makes a batch fail, see `isQuotaExceeded`, if the account of the workspace has more than its limit
 * after it.
 */
export const requireWithinQuota = (
  db: Database,
  quotas: AccountQuota,
  workspaceId: number | SQL,
): Statement =>
  typeof workspaceId === "number"
    ? bind(quotaOfWorkspace(db), { accountBytes: quotas.accountBytes, workspaceId })
    : requireQuota(db, quotas, workspaceId);

const requireQuota = (db: Database, quotas: Given<AccountQuota>, workspaceId: Placeholder | SQL) =>
  db
    .update(workspaces)
    .set({ name: sql`null` })
    .where(and(eq(workspaces.id, workspaceId), exceedsQuota(sql`${workspaces.userId}`, quotas, 0)));

const quotaOfWorkspace = prepared((db) =>
  requireQuota(db, GIVEN_QUOTAS, sql.placeholder("workspaceId")).prepare(),
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

/** The account whose quota the row's envelope counts for: the owner of record of its workspace. */
export const ownerOfRecord = sql<number>`(select record.user_id from ${workspaces} as record where record.id = ${envelopes.workspaceId})`;

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

const stored = (where: SQL) =>
  sql`(select coalesce(sum(${submissions.fileSize}), 0) from ${submissions} where ${submissions.deletedAt} is null and ${where})`;
/** Of each envelope, what was received and some of what is declared. */
const staged = (where: SQL) =>
  sql`(select coalesce(sum(bytes), 0) from (select sum(${uploads.offset}) + ${announced(sql`sum(${uploads.fileSize} - ${uploads.offset})`)} as bytes from ${uploads} where ${where} group by ${uploads.envelopeId}))`;
const leased = (where: SQL) =>
  sql`(select coalesce(sum(${uploadLeases.bytes}), 0) from ${uploadLeases} where not ${uploadLeases.revoked} and ${where})`;

const envelopeBytes = sql`(${stored(eq(submissions.envelopeId, envelopes.id))} + ${staged(eq(uploads.envelopeId, envelopes.id))} + ${leased(eq(uploadLeases.envelopeId, envelopes.id))})`;

const ofAccount = (owner: SQL) =>
  sql`(select owned.id from ${workspaces} as owned where owned.user_id = ${owner})`;
const envelopesIn = (workspaceIds: SQL) =>
  sql`(select other.id from ${envelopes} as other where other.workspace_id in ${workspaceIds})`;

const bytesOf = (...columns: SQLiteColumn[]) =>
  sql.join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  );
const counted = {
  contacts: alias(contacts, "counted"),
  templates: alias(templates, "counted"),
  envelopes: alias(envelopes, "counted"),
  bulkSends: alias(bulkSends, "counted"),
};
/** Of rows that have no limit but the number of them. An envelope that a bulk send has yet to create counts with that. */
const TEXTS = [
  { table: contacts, bytes: bytesOf(...CONTACT_FIELDS.map((field) => counted.contacts[field])) },
  {
    table: templates,
    bytes: bytesOf(
      ...[counted.templates.name, counted.templates.description, counted.templates.fields],
      ...[counted.templates.subject, counted.templates.message],
    ),
  },
  { table: envelopes, bytes: sql`${counted.envelopes.textBytes}` },
  {
    table: bulkSends,
    bytes: sql`iif(${counted.bulkSends.textBytes} = 0, 0, ${counted.bulkSends.textBytes} * (select count(*) from ${bulkRecipients} where ${bulkRecipients.bulkId} = ${counted.bulkSends.id} and ${bulkRecipients.state} <> 'created') / ${counted.bulkSends.total})`,
  },
];

/** The bytes of the texts in these workspaces, or in all. */
export const textBytes = (workspaceIds?: SQL) =>
  sql`(${sql.join(
    TEXTS.map(
      ({ table, bytes }) =>
        sql`(select coalesce(sum(${bytes}), 0) from ${table} as counted ${workspaceIds && sql`where counted.workspace_id in ${workspaceIds}`})`,
    ),
    sql` + `,
  )})`;

/** What is stored in these workspaces: files, what unfinished uploads have sent, logos and texts. */
export const bytesIn = (workspaceIds: SQL) =>
  sql`(${stored(sql`${submissions.envelopeId} in ${envelopesIn(workspaceIds)}`)}
    + (select coalesce(sum(${uploads.offset}), 0) from ${uploads} where ${uploads.envelopeId} in ${envelopesIn(workspaceIds)})
    + (select coalesce(sum(owned.logo_size), 0) from ${workspaces} as owned where owned.id in ${workspaceIds})
    + ${textBytes(workspaceIds)})`;

/** What is stored of an account: in its workspaces, and its picture. */
export const storedBytes = (owner: SQL) =>
  sql`(${bytesIn(ofAccount(owner))} + coalesce((select person.avatar_size from ${users} as person where person.id = ${owner}), 0))`;

/** What the running uploads of an account reserve beyond the bytes they have sent. */
export const reservedBytes = (owner: SQL) =>
  sql`((select coalesce(sum(bytes), 0) from (select ${announced(sql`sum(${uploads.fileSize} - ${uploads.offset})`)} as bytes from ${uploads} where ${uploads.envelopeId} in ${envelopesIn(ofAccount(owner))} group by ${uploads.envelopeId})) + ${leased(eq(uploadLeases.userId, owner))})`;

const accountBytes = (owner: SQL) => sql`(${storedBytes(owner)} + ${reservedBytes(owner)})`;

const uploadsUnderWay = sql`((select count(*) from ${uploadLeases} where ${eq(uploadLeases.envelopeId, envelopes.id)} and not ${uploadLeases.revoked})
  + (select count(*) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)} and ${uploads.completedAt} is null))`;
