import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { ListQuery } from "../../worker/contract/fields";
import type { Database, Statement } from "../client";
import { contacts, documents, requestDocuments, requests, submissions, workspaces } from "../schema";
import type { DocumentEntry } from "../schema/templates";
import { asColumn, jsonRow, jsonRows, jsonRowUnlessNull, scalar } from "./json-row";
import { ownPage } from "./paging";
import { prepared } from "./prepared";
import { insertRemovedSubmissions } from "./removed-files";

export type NewRequest = Omit<typeof requests.$inferInsert, "id">;
export type RequestChanges = Partial<Omit<NewRequest, "userId" | "submissionToken">>;

/** D1 takes at most 100 values a statement, and a document has six. */
const ROWS_PER_INSERT = 16;

/** The documents of the row's envelope, in their order. */
export const askedDocuments = jsonRows(
  {
    id: requestDocuments.id,
    position: requestDocuments.position,
    name: requestDocuments.name,
    description: requestDocuments.description,
    required: requestDocuments.required,
    allowedFileTypes: requestDocuments.allowedFileTypes,
  },
  sql`${requestDocuments} where ${requestDocuments.requestId} = ${requests.id}`,
  ({ position }) => position,
);

/** The files that came in for the row's envelope. */
const storedFiles = jsonRows(
  {
    id: submissions.id,
    documentName: submissions.documentName,
    filePath: submissions.filePath,
    fileName: submissions.fileName,
    fileSize: submissions.fileSize,
    mimeType: submissions.mimeType,
    createdAt: submissions.createdAt,
    deletedAt: submissions.deletedAt,
    scanDueAt: submissions.scanDueAt,
    virus: submissions.virus,
  },
  sql`${submissions} where ${submissions.envelopeId} = ${requests.id}`,
  ({ id }) => id,
);

const fullRequest = asColumn(
  jsonRow({
    ...getTableColumns(requests),
    contact: jsonRowUnlessNull(contacts.id, { firstName: contacts.firstName, lastName: contacts.lastName }),
    documents: askedDocuments,
    submissions: storedFiles,
    retentionDays: scalar<number>(
      sql`(select ${workspaces.retentionDays} from ${workspaces} where ${workspaces.id} = ${requests.workspaceId})`,
    ),
  }),
);

export type FullRequest = (typeof fullRequest)["_"]["type"];

/** Envelopes with their contact, documents and files: one query, whatever their number. */
const selectRequests = (db: Database) =>
  db.select({ request: fullRequest }).from(requests).leftJoin(contacts, eq(contacts.id, requests.contactId));

export async function listRequests(db: Database, userId: number, query: ListQuery): Promise<FullRequest[]> {
  const { where, orderBy, limit } = ownPage(requests, userId, query);
  const page = selectRequests(db).where(where).orderBy(orderBy);
  const rows = await (limit === undefined ? page : page.limit(limit));
  return rows.map(({ request }) => request);
}

export async function findRequest(
  db: Database,
  userId: number,
  id: number,
): Promise<FullRequest | undefined> {
  const [row] = await selectRequests(db).where(own(userId, id));
  return row?.request;
}

const requestOfToken = prepared((db) =>
  selectRequests(db)
    .where(
      and(
        eq(requests.userId, sql.placeholder("userId")),
        eq(requests.submissionToken, sql.placeholder("submissionToken")),
      ),
    )
    .prepare(),
);

export async function findRequestByToken(
  db: Database,
  userId: number,
  submissionToken: string,
): Promise<FullRequest | undefined> {
  const [row] = await requestOfToken(db).all({ userId, submissionToken });
  return row?.request;
}

/** The id of the envelope with this token, for the batch that makes the envelope. */
export const requestByToken = (submissionToken: string) =>
  sql<number>`(select ${requests.id} from ${requests} where ${requests.submissionToken} = ${submissionToken})`;

/** An envelope's id, or what finds it in the batch that makes it. */
type RequestId = number | ReturnType<typeof requestByToken>;

export function insertRequest(db: Database, request: NewRequest): Statement {
  return db.insert(requests).values(request);
}

/**
 * Changes the caller's envelope as it was read. Where it has changed since, its owner becomes NULL, which no row
 * may have: the statement fails, and with it the batch it stands in.
 */
export function updateRequest(
  db: Database,
  userId: number,
  read: Pick<FullRequest, "id" | "status" | "updatedAt">,
  changes: RequestChanges,
): Statement {
  const unchanged = and(eq(requests.status, read.status), eq(requests.updatedAt, read.updatedAt));
  return db
    .update(requests)
    .set({ ...changes, userId: sql`case when ${unchanged} then ${userId} end` })
    .where(own(userId, read.id));
}

/**
 * Deletes the envelope, and notes its files for removal.
 * @returns whether there was such an envelope
 */
export async function deleteRequest(db: Database, userId: number, id: number, now: string): Promise<boolean> {
  const [, rows] = await db.batch([
    insertRemovedSubmissions(db, own(userId, id), now),
    db.delete(requests).where(own(userId, id)).returning({ id: requests.id }),
  ]);
  return rows.length > 0;
}

type PlacedDocument = DocumentEntry & { position: number };

export function insertRequestDocuments(
  db: Database,
  requestId: RequestId,
  entries: PlacedDocument[],
): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < entries.length; start += ROWS_PER_INSERT) {
    const rows = entries.slice(start, start + ROWS_PER_INSERT).map((entry) => ({ ...entry, requestId }));
    statements.push(db.insert(requestDocuments).values(rows));
  }
  return statements;
}

export function updateRequestDocument(
  db: Database,
  requestId: number,
  id: number,
  entry: PlacedDocument,
): Statement {
  return db
    .update(requestDocuments)
    .set(entry)
    .where(and(eq(requestDocuments.requestId, requestId), eq(requestDocuments.id, id)));
}

/** Removes documents of an envelope; `ids` are at most the documents an envelope may have. */
export function deleteRequestDocuments(db: Database, requestId: number, ids: number[]): Statement[] {
  if (ids.length === 0) return [];
  const gone = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  return [
    db
      .delete(requestDocuments)
      .where(and(eq(requestDocuments.requestId, requestId), inArray(requestDocuments.id, gone))),
  ];
}

/** Notes that the envelope uses the template, which then cannot be deleted. */
export function insertTemplateUse(
  db: Database,
  use: Omit<typeof documents.$inferInsert, "id" | "requestId"> & { requestId: RequestId },
): Statement {
  return db.insert(documents).values(use);
}

export function deleteTemplateUse(db: Database, userId: number, requestId: number): Statement {
  return db.delete(documents).where(and(eq(documents.userId, userId), eq(documents.requestId, requestId)));
}

const own = (userId: number, id: number) => and(eq(requests.userId, userId), eq(requests.id, id));
