import { and, eq, type SQL, sql } from "drizzle-orm";
import { NO_QUOTA, type Quotas, type Usage } from "../../worker/contract/quotas";
import type { Database } from "../client";
import { envelopes, submissions, uploadLeases, uploads, users } from "../schema";

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
export function withinQuotas(quotas: Quotas, bytes: number): SQL | undefined {
  const accountLimit = limitOfAccount(quotas);
  return and(
    sql`${envelopeBytes} + ${bytes} <= ${quotas.envelopeBytes}`,
    // An account's storage is summed up only if it has a limit.
    sql`case when ${accountLimit} is null then 1 else ${accountBytes} + ${bytes} <= ${accountLimit} end`,
  );
}

/** The limit of the row's account: its own, otherwise the instance's. NULL for no limit. */
const limitOfAccount = ({ accountBytes }: Quotas) =>
  sql`nullif(coalesce((select ${users.storageQuota} from ${users} where ${users.id} = ${envelopes.userId}), ${accountBytes}), ${NO_QUOTA})`;

/** Whether one more upload may begin for the row's envelope. */
export const canBeginUpload = (quotas: Quotas): SQL => sql`${uploadsUnderWay} < ${quotas.uploadsPerEnvelope}`;

/** The stored and running uploads of the envelope behind the link; undefined if there is none. */
export async function findUsage(
  db: Database,
  submissionToken: string,
  quotas: Quotas,
): Promise<Usage | undefined> {
  const [row] = await selectUsage(db, submissionToken, quotas);
  return row;
}

/** The same as a statement for a batch. */
export const selectUsage = (db: Database, submissionToken: string, quotas: Quotas) =>
  db.select(usageColumns(quotas)).from(envelopes).where(eq(envelopes.submissionToken, submissionToken));

const stored = (where: SQL) =>
  sql`(select coalesce(sum(${submissions.fileSize}), 0) from ${submissions} where ${submissions.deletedAt} is null and ${where})`;
const staged = (where: SQL) =>
  sql`(select coalesce(sum(${uploads.fileSize}), 0) from ${uploads} where ${where})`;
const leased = (where: SQL) =>
  sql`(select coalesce(sum(${uploadLeases.bytes}), 0) from ${uploadLeases} where not ${uploadLeases.revoked} and ${where})`;

const envelopeBytes = sql`(${stored(eq(submissions.envelopeId, envelopes.id))} + ${staged(eq(uploads.envelopeId, envelopes.id))} + ${leased(eq(uploadLeases.envelopeId, envelopes.id))})`;

/** The ids of all envelopes of the row's account. */
const ofAccount = sql`(select other.id from ${envelopes} as other where other.user_id = ${envelopes.userId})`;

const accountBytes = sql`(${stored(sql`${submissions.envelopeId} in ${ofAccount}`)} + ${staged(sql`${uploads.envelopeId} in ${ofAccount}`)} + ${leased(eq(uploadLeases.userId, envelopes.userId))})`;

const uploadsUnderWay = sql`((select count(*) from ${uploadLeases} where ${eq(uploadLeases.envelopeId, envelopes.id)} and not ${uploadLeases.revoked})
  + (select count(*) from ${uploads} where ${eq(uploads.envelopeId, envelopes.id)} and ${uploads.completedAt} is null))`;
