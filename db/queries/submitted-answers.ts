import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { answers, envelopeDocuments, envelopes } from "../schema";
import { envelopeParts } from "./envelope-parts";
import { currentAnswers, requestedDocuments } from "./envelopes";
import { asColumn, jsonRow } from "./json-row";
import { updateFileBytes } from "./list-columns";
import { isMember, type Member } from "./members";
import { listed, pick, type TakeTurn } from "./query-helpers";

/** Which envelopes' answers are read; without any, all of the caller's. */
export type AnswersFilter = { ids?: readonly number[]; bulkId?: number; workspaceId?: number };

const parts = envelopeParts({ answers: currentAnswers });
const answeredEnvelope = asColumn(
  jsonRow({
    ...pick(envelopes, "id", "recipientName", "customerEmail", "subject", "title", "completedAt"),
    documents: requestedDocuments,
    parts: parts.json,
  }),
);
export type AnsweredEnvelope = Awaited<ReturnType<typeof listAnsweredEnvelopes>>[number];

function isChosen(member: Member, { ids, bulkId, workspaceId }: AnswersFilter): SQL | undefined {
  return and(
    isMember(envelopes.workspaceId, member),
    ids && sql`${envelopes.id} in ${listed(ids)}`,
    bulkId === undefined ? undefined : eq(envelopes.bulkId, bulkId),
    workspaceId === undefined ? undefined : eq(envelopes.workspaceId, workspaceId),
  );
}

type PageCall = { before: number | undefined; limit: number };

const completedBefore = (before: number | undefined) =>
  and(eq(envelopes.status, "completed"), before === undefined ? undefined : lt(envelopes.id, before));

/**
 * A page of the completed ones of these envelopes with their answers, the newest first. It also ends at
 * `SERVER_LIMITS.pageBytes` of texts; a larger envelope is a page by itself.
 */
export async function listAnsweredEnvelopes(
  db: Database,
  member: Member,
  filter: AnswersFilter,
  { before, limit }: PageCall,
  takeTurn?: TakeTurn,
) {
  const bytes = sql`${envelopes.textBytes} + (select coalesce(sum(octet_length(given.value)), 0) from answers as given where given.envelope_id = ${envelopes.id} and not given.superseded)`;
  const page = db
    .select({ id: envelopes.id, bytes: sql`${bytes}`.as("bytes") })
    .from(envelopes)
    .where(and(isChosen(member, filter), completedBefore(before)))
    .orderBy(sql`${envelopes.id} desc`)
    .limit(limit);
  const summed = sql`select id, row_number() over (order by id desc) as nth, sum(bytes) over (order by id desc) as bytes from ${page}`;
  const rows = await db
    .select({ envelope: answeredEnvelope })
    .from(envelopes)
    .where(
      sql`${envelopes.id} in (select id from (${summed}) where nth = 1 or bytes <= ${SERVER_LIMITS.pageBytes})`,
    )
    .orderBy(sql`${envelopes.id} desc`);
  return parts.complete(
    db,
    rows.map(({ envelope }) => envelope),
    takeTurn,
  );
}

/** How many of these envelopes are the caller's. */
export const countOwn = (db: Database, member: Member, ids: readonly number[]): Promise<number> =>
  db.$count(envelopes, isChosen(member, { ids }));

/** The questions of a page of these envelopes, each once, in the same order. `last` is the id of the page's last envelope. */
export async function listQuestionNames(
  db: Database,
  member: Member,
  filter: AnswersFilter,
  { before, limit }: PageCall,
): Promise<{ names: string[]; last: number | undefined }> {
  const page = db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(and(isChosen(member, filter), completedBefore(before)))
    .orderBy(sql`${envelopes.id} desc`)
    .limit(limit);
  // The position is that in the newest envelope, as SQLite reads a column beside `max`.
  const rows = await db.all<{ name: string | null; last: number }>(
    sql`with page as (select id from ${page}) select ${envelopeDocuments.name} as name, (select min(id) from page) as last, max(page.id), ${envelopeDocuments.position}
      from page left join ${envelopeDocuments} on ${envelopeDocuments.envelopeId} = page.id and ${envelopeDocuments.kind} <> 'file'
      group by 1 order by 3 desc, 4`,
  );
  return { names: rows.flatMap(({ name }) => name ?? []), last: rows[0]?.last };
}

const latestAnswer = (member: Member, envelopeId: number, documentId: number) =>
  and(
    eq(answers.envelopeDocumentId, documentId),
    sql`${answers.envelopeId} = (select ${envelopes.id} from ${envelopes} where ${envelopes.id} = ${envelopeId} and ${isMember(envelopes.workspaceId, member)})`,
    sql`${answers.submittedAt} is not null`,
  );

/** The last submitted answer to a question of the caller's envelope, sealed if it is confidential. */
export async function findSubmittedAnswer(
  db: Database,
  member: Member,
  envelopeId: number,
  documentId: number,
) {
  const [row] = await db
    .select({ ...pick(answers, "value", "sealed"), name: envelopeDocuments.name })
    .from(answers)
    .innerJoin(envelopeDocuments, eq(envelopeDocuments.id, answers.envelopeDocumentId))
    .where(
      and(
        latestAnswer(member, envelopeId, documentId),
        eq(answers.superseded, false),
        sql`${answers.value} is not null`,
      ),
    );
  return row;
}

/** The statements that delete the submitted values of a question of the caller's envelope, earlier ones included. */
export const deleteSubmittedAnswer = (
  db: Database,
  member: Member,
  envelopeId: number,
  documentId: number,
): Statement[] => [
  db
    .update(answers)
    .set({ value: null })
    .where(latestAnswer(member, envelopeId, documentId)),
  updateFileBytes(db, and(eq(envelopes.id, envelopeId), isMember(envelopes.workspaceId, member))),
];
