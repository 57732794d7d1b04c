import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Answer } from "../../worker/contract/questions";
import type { Database, Statement } from "../client";
import { answers, contacts, envelopeDocuments, envelopes } from "../schema";
import { onlyWhile } from "./guard";
import { updateFileBytes } from "./list-columns";
import { insertRows, listed, pagesAfter, pick } from "./query-helpers";
import { pendingEnvelopeId, type RecipientEnvelope, requestsExactly } from "./submissions";

/** An answer as it is stored: a confidential one is sealed text. */
export type StoredAnswer = { documentId: number; value: Answer; sealed: boolean };

const isKept = (token: string) =>
  and(eq(answers.envelopeId, pendingEnvelopeId(token)), isNull(answers.submittedAt));

/**
 * The statements that keep answers until the recipient submits, in place of those kept before. They fail unless the
 * envelope is pending, and requests these documents: a question may be confidential now, or gone.
 */
export function keepAnswers(
  db: Database,
  { submissionToken: token, documents }: Pick<RecipientEnvelope, "submissionToken" | "documents">,
  { cleared, given, now }: { cleared: readonly number[]; given: readonly StoredAnswer[]; now: string },
): Statement[] {
  const named = listed([...cleared, ...given.map(({ documentId }) => documentId)]);
  return [
    db
      .update(envelopes)
      .set({ status: onlyWhile(requestsExactly(documents), sql`${envelopes.status}`) })
      .where(eq(envelopes.submissionToken, token)),
    db.delete(answers).where(and(isKept(token), inArray(answers.envelopeDocumentId, named))),
    ...insertAnswers(db, token, given, { createdAt: now, submittedAt: null }),
    updateFileBytes(db, eq(envelopes.submissionToken, token)),
  ];
}

function insertAnswers(
  db: Database,
  token: string,
  given: readonly StoredAnswer[],
  times: { createdAt: string; submittedAt: string | null },
): Statement[] {
  const envelopeId = pendingEnvelopeId(token);
  return insertRows(
    db,
    answers,
    given.map(({ documentId, value, sealed }) => ({
      ...{ envelopeId, envelopeDocumentId: documentId, value, sealed },
      ...times,
    })),
  );
}

/**
 * The statements that submit answers in place of all that are kept, for the batch that completes the envelope. They fail
 * like `completeEnvelope` if others are kept than were read: another device may have changed them.
 * @param asked the documents that are asked and answered or skipped now: their earlier answers are superseded
 */
export function submitAnswers(
  db: Database,
  { submissionToken: token, answers: read }: Pick<RecipientEnvelope, "submissionToken" | "answers">,
  { given, asked, now }: { given: readonly StoredAnswer[]; asked: readonly number[]; now: string },
): Statement[] {
  const kept = read.filter(({ submittedAt }) => submittedAt === null);
  const ofPending = eq(answers.envelopeId, pendingEnvelopeId(token));
  return [
    db
      .update(envelopes)
      .set({ status: onlyWhile(keepsExactly(kept), sql`${envelopes.status}`) })
      .where(eq(envelopes.submissionToken, token)),
    db.delete(answers).where(isKept(token)),
    db
      .update(answers)
      .set({ superseded: true })
      // Without those that are already: each is written with its whole text.
      .where(and(ofPending, not(answers.superseded), inArray(answers.envelopeDocumentId, listed(asked)))),
    ...insertAnswers(db, token, given, { createdAt: now, submittedAt: now }),
  ];
}

/** Whether exactly these answers of the updated envelope are kept: another device may have changed them. */
function keepsExactly(kept: readonly { id: number }[]): SQL {
  const ofEnvelope = sql`from ${answers} where ${answers.envelopeId} = ${envelopes.id} and ${answers.submittedAt} is null`;
  const ids = listed(kept.map(({ id }) => id));
  return sql`((select count(*) ${ofEnvelope}) = ${kept.length} and (select count(*) ${ofEnvelope} and ${answers.id} in ${ids}) = ${kept.length})`;
}

/** The statement that stores which documents of the pending envelope are not asked. */
export const updateHidden = (db: Database, token: string, hidden: readonly number[]): Statement =>
  db
    .update(envelopeDocuments)
    .set({ hidden: sql`${envelopeDocuments.id} in ${listed(hidden)}` })
    .where(eq(envelopeDocuments.envelopeId, pendingEnvelopeId(token)));

/** The statements that delete what is kept for an envelope's documents, or what was until a time: it is not the recipient's answer any more. */
export const deleteKeptAnswers = (
  db: Database,
  envelopeId: number,
  documents: readonly number[],
  until?: string,
): Statement[] => [
  db
    .delete(answers)
    .where(
      and(
        inArray(answers.envelopeDocumentId, listed(documents)),
        isNull(answers.submittedAt),
        until === undefined ? undefined : lte(answers.createdAt, until),
      ),
    ),
  updateFileBytes(db, eq(envelopes.id, envelopeId)),
];

/** Enough for the questions of an envelope, if a contact has answered most of them several times. */
const EARLIER = 500;
/** Of a contact's latest envelopes, the latest ones with answers: there may be thousands, and others wait. */
const [LATEST, ANSWERED] = [500, 50];

/**
 * What the contact of an envelope has answered in other envelopes of the same workspace, without confidential answers, the
 * newest first. Where an envelope goes to another address than the contact's, those that were given there; and where the
 * contact has another address since, those of the same name: it may have become somebody else.
 */
export function listEarlierAnswers(
  db: Database,
  { id: envelopeId, submissionToken }: Pick<typeof envelopes.$inferSelect, "id" | "submissionToken">,
) {
  const own = alias(envelopes, "own");
  const isTheirs = (address: SQLiteColumn, earlier: SQLiteColumn, known: SQLiteColumn) =>
    sql`(lower(${address}) = lower(${earlier}) or (lower(${address}) = lower(${known}) and lower(${own.recipientName}) = lower(${envelopes.recipientName})))`;
  const latest = sql`select theirs.id from envelopes as theirs where theirs.id <> ${envelopeId}
    and theirs.contact_id = (select mine.contact_id from envelopes as mine where mine.id = ${envelopeId}) order by theirs.id desc limit ${LATEST}`;
  const answered = sql`select latest.id from (${latest}) as latest where exists (select 1 from answers as given where given.envelope_id = latest.id and given.submitted_at is not null) limit ${ANSWERED}`;
  return db
    .select({
      ...pick(envelopeDocuments, "name", "kind"),
      id: answers.id,
      answeredAt: sql<string>`${answers.submittedAt}`,
    })
    .from(own)
    .innerJoin(
      envelopes,
      and(
        sql`${envelopes.id} in (${answered})`,
        eq(envelopes.contactId, own.contactId),
        eq(envelopes.workspaceId, own.workspaceId),
      ),
    )
    .innerJoin(contacts, eq(contacts.id, own.contactId))
    .innerJoin(answers, eq(answers.envelopeId, envelopes.id))
    .innerJoin(envelopeDocuments, eq(envelopeDocuments.id, answers.envelopeDocumentId))
    .where(
      and(
        eq(own.id, envelopeId),
        // Somebody else's by now, if a replica still knew the link.
        eq(own.submissionToken, submissionToken),
        // Nor what somebody has answered whom the earlier envelope was for before.
        sql`${answers.submittedAt} > ifnull(${envelopes.recipientSince}, '')`,
        or(
          eq(own.notificationPreference, "sms"),
          isTheirs(own.customerEmail, envelopes.customerEmail, contacts.email),
        ),
        or(
          eq(own.notificationPreference, "email"),
          isTheirs(own.recipientPhone, envelopes.recipientPhone, contacts.phone),
        ),
        isNotNull(answers.submittedAt),
        isNotNull(answers.value),
        eq(answers.sealed, false),
        eq(answers.superseded, false),
        // The requestor doubts it: it has to be given again to count.
        sql`${envelopeDocuments.review} is not 'returned'`,
      ),
    )
    .orderBy(sql`${answers.submittedAt} desc`)
    .limit(EARLIER);
}

/** The values of these answers, by their ids. */
export async function readEarlierValues(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Answer | null>> {
  const rows = await db
    .select(pick(answers, "id", "value"))
    .from(answers)
    .where(inArray(answers.id, listed(ids)));
  return new Map(rows.map(({ id, value }) => [id, value]));
}

const PAGE = 500;

/** The confidential answers with a value, kept ones included, a page at a time. */
export const readSealedAnswers = (db: Database) => {
  const { id, envelopeDocumentId: documentId, value } = answers;
  return pagesAfter(PAGE, (after) =>
    db
      .select({
        id,
        documentId,
        sealed: sql<string>`${value}`.mapWith((json: string) => JSON.parse(json) as string),
      })
      .from(answers)
      .where(and(sql`sealed`, gt(id, after), isNotNull(value)))
      .orderBy(asc(id))
      .limit(PAGE),
  );
};

/** Replaces a sealed answer by another text, unless it has changed since it was read. */
export async function replaceSealedAnswer(
  db: Database,
  { id, sealed }: { id: number; sealed: string },
  next: string,
): Promise<void> {
  await db
    .update(answers)
    .set({ value: next })
    .where(and(eq(answers.id, id), eq(answers.value, sealed)));
}
