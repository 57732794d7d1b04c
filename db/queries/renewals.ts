import { and, asc, eq, getTableColumns, inArray, lte, type SQL, sql } from "drizzle-orm";
import { withDetails } from "../../worker/contract/documents";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopeDocuments, envelopes, renewals, submissions, users } from "../schema";
import { onlyWhile } from "./guard";
import { isAssigneeDisabled, isOpenWorkspace } from "./members";
import { listed, pick, type TakeTurn } from "./query-helpers";
import { isReceived, isReplaced, isReplacedIfFew, isReplacedInParts } from "./validity";

type Checked = { documentId: number; checkAt: string };

const isAsked = sql`exists (select 1 from ${renewals} where ${renewals.documentId} = ${envelopeDocuments.id} and ${renewals.validUntil} = ${envelopeDocuments.validUntil})`;
const truth = (condition: SQL) => sql<boolean>`${condition}`.mapWith(Boolean);
/** Null if it is to be read in parts, so that others are served in between. */
const replacedIf = (takeTurn: TakeTurn) =>
  truth(takeTurn ? isReplacedIfFew : isReplaced) as SQL<boolean | null>;

/** A page of the documents that are to be looked at, in the order of their times. `after` is the last one of the page before. */
export async function listDueDocuments(
  db: Database,
  now: string,
  { after, limit, takeTurn }: { after?: Checked | undefined; limit: number; takeTurn?: TakeTurn },
) {
  const { documentId = 0, checkAt = "" } = after ?? {};
  const rows = await db
    .select({
      documentId: envelopeDocuments.id,
      ...pick(envelopeDocuments, "name", "validUntil", "renewOn", "renewalPaused", "checkAt"),
      envelopeId: envelopes.id,
      ...pick(envelopes, "workspaceId", "userId", "customerEmail", "recipientPhone"),
      timeZone: users.timeZone,
      isReceived: truth(isReceived),
      isReplaced: replacedIf(takeTurn),
      isAsked: truth(isAsked),
      isDisabled: isAssigneeDisabled(envelopes.workspaceId),
    })
    .from(envelopeDocuments)
    .innerJoin(envelopes, eq(envelopes.id, envelopeDocuments.envelopeId))
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(
      and(
        lte(envelopeDocuments.checkAt, now),
        sql`(${envelopeDocuments.checkAt}, ${envelopeDocuments.id}) > (${checkAt}, ${documentId})`,
        isOpenWorkspace(envelopes.workspaceId),
      ),
    )
    .orderBy(asc(envelopeDocuments.checkAt), asc(envelopeDocuments.id))
    .limit(limit);
  const due = [];
  for (const { validUntil, checkAt, isReceived, ...row } of rows) {
    if (validUntil === null || checkAt === null) continue;
    const isReplaced = row.isReplaced ?? (await isReplacedInParts(db, row.documentId, takeTurn));
    due.push({ ...row, validUntil, checkAt, isReplaced, isCurrent: isReceived && !isReplaced });
  }
  return due;
}

export type DueDocument = Awaited<ReturnType<typeof listDueDocuments>>[number];

/** The envelopes to one recipient. Others of the same contact may be for somebody else. */
const theirs = ({ workspaceId, customerEmail, recipientPhone }: DueDocument) =>
  sql`(select ${envelopes.id} from ${envelopes} where ${envelopes.workspaceId} = ${workspaceId} and ${envelopes.customerEmail} = ${customerEmail}
    and (${customerEmail} <> '' or ${envelopes.recipientPhone} = ${recipientPhone}))`;

/** Documents that are looked at for one envelope: of a recipient of thousands, others are asked for by the next ones. */
const CANDIDATES = 400;
/** Each is compared with all that its recipient has handed in, which others wait for. */
const PART = { inTurn: 10, atOnce: 100 };

/** The documents of the same recipient and assignee that are asked for again until this day, the first ones first. */
export async function listRenewedTogether(
  db: Database,
  due: DueDocument,
  { until, limit, takeTurn }: { until: string; limit: number; takeTurn?: TakeTurn },
) {
  const { id, renewOn, renewalPaused } = envelopeDocuments;
  const isWanted = and(eq(envelopes.userId, due.userId), lte(renewOn, until), sql`${renewalPaused} is not 1`);
  const candidates = await db
    .select({ id })
    .from(envelopeDocuments)
    .innerJoin(envelopes, eq(envelopes.id, envelopeDocuments.envelopeId))
    .where(and(sql`${envelopes.id} in ${theirs(due)}`, isWanted))
    .orderBy(sql`${id} <> ${due.documentId}`, asc(renewOn), asc(id))
    .limit(CANDIDATES);
  const readPart = (part: typeof candidates) =>
    db
      .select({
        document: getTableColumns(envelopeDocuments),
        envelope: getTableColumns(envelopes),
        isReplaced: replacedIf(takeTurn),
        handedInAt: sql<string>`(select max(${submissions.createdAt}) from ${submissions} where ${submissions.envelopeDocumentId} = ${id} and not ${submissions.superseded})`,
      })
      .from(envelopeDocuments)
      .innerJoin(envelopes, eq(envelopes.id, envelopeDocuments.envelopeId))
      .where(and(inArray(id, listed(part.map((one) => one.id))), isWanted, isReceived, sql`not ${isAsked}`))
      .orderBy(asc(renewOn), asc(id));
  const found: Omit<Awaited<ReturnType<typeof readPart>>[number], "isReplaced">[] = [];
  const length = takeTurn ? PART.inTurn : PART.atOnce;
  for (let at = 0; at < candidates.length && found.length < limit; at += length) {
    await takeTurn?.();
    for (const { isReplaced, ...row } of await readPart(candidates.slice(at, at + length)))
      if (!(isReplaced ?? (await isReplacedInParts(db, row.document.id, takeTurn)))) found.push(row);
  }
  const dayOf = ({ document }: (typeof found)[number]) => document.renewOn ?? "";
  return found
    .slice(0, limit)
    .sort((one, other) => dayOf(one).localeCompare(dayOf(other)) || one.document.id - other.document.id)
    .map(({ document, ...row }) => ({ ...row, document: withDetails(document) }));
}

export type RenewedDocument = Awaited<ReturnType<typeof listRenewedTogether>>[number];

/** Whether the updated document is still as it was read. */
const asRead = ({ id, validUntil, renewOn, checkAt }: RenewedDocument["document"]) =>
  and(
    eq(envelopeDocuments.id, id),
    sql`${envelopeDocuments.validUntil} is ${validUntil} and ${envelopeDocuments.renewOn} is ${renewOn} and ${envelopeDocuments.checkAt} is ${checkAt}`,
    sql`${envelopeDocuments.review} is not 'returned' and ${envelopeDocuments.renewalPaused} is not 1`,
  );

/**
 * The statements that record which envelope asks again for the documents. They fail their batch if one of them is asked for
 * already, or is not as it was read, see `isRenewedMeanwhile`.
 */
export const insertRenewals = (
  db: Database,
  documents: readonly RenewedDocument["document"][],
  { envelopeId, now }: { envelopeId: SQL<number>; now: string },
): Statement[] =>
  // One each: D1 limits the parameters of a statement.
  documents.map((document) =>
    db.insert(renewals).values({
      documentId: onlyWhile(
        sql`exists (select 1 from ${envelopeDocuments} where ${asRead(document)})`,
        document.id,
      ),
      validUntil: String(document.validUntil),
      envelopeId,
      createdAt: now,
    }),
  );

export const isRenewedMeanwhile = (error: unknown): boolean =>
  violates(error, "not null", renewals.documentId) || violates(error, "unique", renewals.documentId);

/** The statement that says when documents are looked at next, unless another process has. */
export const updateChecks = (
  db: Database,
  checks: readonly (Checked & { next: string | null; renewOn: string | null; isLeft?: boolean })[],
): Statement => {
  const of = (name: string) =>
    sql`(select value ->> ${`$.${name}`} from json_each(${JSON.stringify(checks)}) where value ->> '$.documentId' = ${envelopeDocuments.id})`;
  return db
    .update(envelopeDocuments)
    .set({
      checkAt: of("next"),
      renewOn: of("renewOn"),
      // It leaves the list of what expires.
      workspaceId: sql`iif(${of("isLeft")}, null, ${envelopeDocuments.workspaceId})`,
    })
    .where(
      and(
        inArray(envelopeDocuments.id, listed(checks.map(({ documentId }) => documentId))),
        sql`${envelopeDocuments.checkAt} is ${of("checkAt")}`,
      ),
    );
};
