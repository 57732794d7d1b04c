import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../client";
import { envelopes, workspaces } from "../schema";
import { requestedDocuments, storedAnswers, storedFiles } from "./envelopes";
import { asColumn, jsonRow } from "./json-row";
import { isMember, type Member } from "./members";
import { listed, pick } from "./query-helpers";

const archivedEnvelope = asColumn(
  jsonRow({
    ...pick(envelopes, "id", "recipientName", "customerEmail", "subject", "title", "completedAt"),
    documents: requestedDocuments,
    answers: storedAnswers,
    fileNameRule: workspaces.fileNameRule,
    submissions: storedFiles,
  }),
);

export type ArchivedEnvelope = (typeof archivedEnvelope)["_"]["type"];

/** The caller's envelopes among these ids, in the same order, with their files and the rule for file names. */
export async function listArchivedEnvelopes(
  db: Database,
  member: Member,
  ids: readonly number[],
): Promise<ArchivedEnvelope[]> {
  const idList = listed(ids);
  const rows = await db
    .select({ envelope: archivedEnvelope })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(and(isMember(envelopes.workspaceId, member), sql`${envelopes.id} in ${idList}`));
  const found = new Map(rows.map(({ envelope }) => [envelope.id, envelope]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
