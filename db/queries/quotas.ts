import { and, eq, type SQL, sql } from "drizzle-orm";
import { DECLARED_BYTES, NO_QUOTA, type Quotas, type Usage } from "../../worker/contract/quotas";
import type { Database } from "../client";
import { envelopes, submissions, uploadLeases, uploads, users, workspaces } from "../schema";

/** Columns of `Usage`, for a select from envelopes. */
function usageColumns(quotas: Quotas) {
  const accountLimit = limitOfAccount(quotas);
  return {
    envelopeBytes: sql<number>`${envelopeBytes}`,
    accountBytes: sql<number | null>`case when ${accountLimit} is not null then ${accountBytes} end`,
    accountLimit: sql<number | null>`${accountLimit}`,
    uploads: sql<number>`${uploadsUnderWay}`,
  };
}

/** Whether the row's envelope and its account stay within the quotas with this many additional bytes. */
export function withinQuotas(quotas: Quotas, bytes: number | SQL): SQL | undefined {
  const accountLimit = limitOfAccount(quotas);
  return and(
    sql`${envelopeBytes} + ${bytes} <= ${quotas.envelopeBytes}`,
    // An account's storage is summed up only if it has a limit.
    sql`case when ${accountLimit} is null then 1 else ${accountBytes} + ${bytes} <= ${accountLimit} end`,
  );
}

/** Whether the quotas allow the row's upload to have received so many of its declared bytes. */
export function canReceive(quotas: Quotas, bytes: number): SQL {
  const rest = sql`(select sum(${uploads.fileSize} - ${uploads.offset}) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)})`;
  const added = sql`(${bytes} + ${counted(sql`${rest} - ${bytes}`)} - ${counted(rest)})`;
  return sql`exists (select 1 from ${envelopes} where ${envelopes.id} = ${uploads.envelopeId} and ${withinQuotas(quotas, added)})`;
}

/** What counts of the declared bytes that were not received yet. */
const counted = (declared: SQL) => sql`min(${DECLARED_BYTES}, ${declared})`;

/** The account whose quota the row's envelope counts for: the owner of record of its workspace. */
export const ownerOfRecord = sql<number>`(select record.user_id from ${workspaces} as record where record.id = ${envelopes.workspaceId})`;

/** The limit of the row's account: its own, otherwise the instance's. NULL for no limit. */
const limitOfAccount = ({ accountBytes }: Quotas) =>
  sql`nullif(coalesce((select ${users.storageQuota} from ${users} where ${users.id} = ${ownerOfRecord}), ${accountBytes}), ${NO_QUOTA})`;

/** Whether one more upload may begin for the row's envelope. */
export const canBeginUpload = (quotas: Quotas): SQL => sql`${uploadsUnderWay} < ${quotas.uploadsPerEnvelope}`;

/** The stored and running uploads of the envelope behind the link; undefined if there is none. */
export async function findUsage(
  db: Database,
  submissionToken: string,
  quotas: Quotas,
): Promise<Usage | undefined> {
  return selectUsage(db, submissionToken, quotas).get();
}

/** The same as a statement for a batch. */
export const selectUsage = (db: Database, submissionToken: string, quotas: Quotas) =>
  db.select(usageColumns(quotas)).from(envelopes).where(eq(envelopes.submissionToken, submissionToken));

const stored = (where: SQL) =>
  sql`(select coalesce(sum(${submissions.fileSize}), 0) from ${submissions} where ${submissions.deletedAt} is null and ${where})`;
/** Of each envelope, what was received and some of what is declared. */
const staged = (where: SQL) =>
  sql`(select coalesce(sum(bytes), 0) from (select sum(${uploads.offset}) + ${counted(sql`sum(${uploads.fileSize} - ${uploads.offset})`)} as bytes from ${uploads} where ${where} group by ${uploads.envelopeId}))`;
const leased = (where: SQL) =>
  sql`(select coalesce(sum(${uploadLeases.bytes}), 0) from ${uploadLeases} where not ${uploadLeases.revoked} and ${where})`;

/** What the running uploads of the row's account reserve beyond the bytes they have sent. */
export const reservedBytes = sql`((select coalesce(sum(bytes), 0) from (select ${counted(sql`sum(${uploads.fileSize} - ${uploads.offset})`)} as bytes from ${workspaces} join ${envelopes} on ${envelopes.workspaceId} = ${workspaces.id} join ${uploads} on ${uploads.envelopeId} = ${envelopes.id} where ${workspaces.userId} = ${users.id} group by ${envelopes.id})) + ${leased(eq(uploadLeases.userId, users.id))})`;

const envelopeBytes = sql`(${stored(eq(submissions.envelopeId, envelopes.id))} + ${staged(eq(uploads.envelopeId, envelopes.id))} + ${leased(eq(uploadLeases.envelopeId, envelopes.id))})`;

/** The ids of all envelopes of the row's account. */
const ofAccount = sql`(select other.id from ${envelopes} as other where other.workspace_id in (select owned.id from ${workspaces} as owned where owned.user_id = ${ownerOfRecord}))`;

/** The logos of the account's workspaces. */
const logoBytes = sql`(select coalesce(sum(owned.logo_size), 0) from ${workspaces} as owned where owned.user_id = ${ownerOfRecord})`;

const accountBytes = sql`(${logoBytes} + ${stored(sql`${submissions.envelopeId} in ${ofAccount}`)} + ${staged(sql`${uploads.envelopeId} in ${ofAccount}`)} + ${leased(eq(uploadLeases.userId, ownerOfRecord))})`;

const uploadsUnderWay = sql`((select count(*) from ${uploadLeases} where ${eq(uploadLeases.envelopeId, envelopes.id)} and not ${uploadLeases.revoked})
  + (select count(*) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)} and ${uploads.completedAt} is null))`;
