import { listEarlierAnswers, readEarlierValues, type StoredAnswer } from "../../../db/queries/answers";
import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { SentAnswers } from "../../contract/answers";
import { documentKey } from "../../contract/document-names";
import { MESSAGES } from "../../contract/messages";
import { type Answer, readAnswer } from "../../contract/questions";
import { dayIn } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { SEALED_CONTEXTS, SecretKeyMissingError } from "../../ports/crypto";
import { isOpenDocument } from "../envelope-rules/documents";
import type { RequestedDocument } from "./document-rules";

type Clocked = Pick<Dependencies, "clock">;
type Opening = Pick<Dependencies, "clock" | "secretBox">;

/** By the ids of their documents; null clears one. */
export type ReadAnswers = ReadonlyMap<number, Answer | null>;

/** The day of answering, at the assignee's. */
const todayOf = ({ user }: { user: { timeZone: string | null } }, { clock }: Clocked) =>
  dayIn(user.timeZone, clock.now());

/**
 * Reads answers that the recipient sends.
 * @throws AppError `unknown_document`, `invalid_answer` with an issue for each, `document_answered`
 */
export function readSentAnswers(deps: Clocked, envelope: RecipientEnvelope, sent: SentAnswers): ReadAnswers {
  const byId = new Map(envelope.documents.map((document) => [String(document.id), document]));
  const unknown = sent.filter(([id]) => !byId.has(id)).map(([id]) => id.slice(0, 40));
  if (unknown[0] !== undefined)
    throw appError("unknown_document", {
      params: { document: unknown[0] },
      issues: unknown.map((id) => ({ path: `answers.${id}`, message: MESSAGES.invalidAnswer })),
    });
  const today = todayOf(envelope, deps);
  const entries = sent.map(([id, value]) => {
    const document = byId.get(id) as RequestedDocument;
    // A file is not cleared by an answer either.
    const read = takesAnswer(document)
      ? readAnswer(document, value, today)
      : { problem: "invalidAnswer" as const };
    return { document, read };
  });
  const issues = entries.flatMap(({ document, read }) =>
    "problem" in read ? { path: `answers.${document.id}`, message: MESSAGES[read.problem] } : [],
  );
  if (issues.length > 0)
    throw appError("invalid_answer", { issues, params: { document: namesOf(envelope, issues) } });
  return new Map(
    entries.flatMap(({ document, read }) => {
      if (!isOpenDocument(document, envelope))
        throw appError("document_answered", { params: { document: document.name } });
      return "problem" in read ? [] : [[document.id, read.answer] as const];
    }),
  );
}

const namesOf = ({ documents }: RecipientEnvelope, issues: readonly { path: string }[]) =>
  documents
    .filter(({ id }) => issues.some(({ path }) => path === `answers.${id}`))
    .map(({ name }) => name)
    .join(", ");

/** Whether it is a question, or a file of which the recipient gives the day until which it is valid. */
const takesAnswer = ({ kind, asksValidUntil }: RequestedDocument): boolean =>
  kind !== "file" || asksValidUntil;

/** The answers that are kept for open questions and still fit them; none whose key is lost. */
export async function keptAnswers(
  deps: Opening,
  envelope: Pick<RecipientEnvelope, "documents" | "answers" | "submissions"> & {
    user: { timeZone: string | null };
  },
): Promise<Map<number, { value: Answer }>> {
  const rows = new Map(
    envelope.answers.flatMap((row) => (row.submittedAt === null ? [[row.requestDocumentId, row]] : [])),
  );
  const kept = new Map<number, { value: Answer }>();
  if (rows.size === 0) return kept;
  const today = todayOf(envelope, deps);
  for (const document of envelope.documents) {
    const row = rows.get(document.id);
    if (!row || row.value === null || row.sealed !== document.confidential) continue;
    if (!takesAnswer(document) || !isOpenDocument(document, envelope)) continue;
    const value = row.sealed ? await openKept(deps, document.id, row.value) : row.value;
    if (value !== null && "answer" in readAnswer(document, value, today)) kept.set(document.id, { value });
  }
  return kept;
}

const openKept = (deps: Opening, documentId: number, sealed: Answer) =>
  openAnswer(deps, documentId, sealed).catch((error: unknown) => {
    if (error instanceof SecretKeyMissingError) return null;
    throw error;
  });

export type Offered = { value: Answer; answeredAt: string };

/** The earlier answers of the same contact that answer these questions too, by the ids of the documents. */
export async function offeredAnswers(
  deps: Pick<Dependencies, "clock" | "db">,
  envelope: RecipientEnvelope,
): Promise<ReadonlyMap<number, Offered>> {
  const offered = new Map<number, Offered>();
  const today = todayOf(envelope, deps);
  const latest = new Map<string, { id: number; answeredAt: string }>();
  for (const { id, name, kind, answeredAt } of await listEarlierAnswers(deps.db, envelope)) {
    const key = `${kind} ${documentKey(name)}`;
    if (!latest.has(key)) latest.set(key, { id, answeredAt });
  }
  const asked = envelope.documents.flatMap((document) => {
    const earlier = latest.get(`${document.kind} ${documentKey(document.name)}`);
    return earlier && !document.confidential && isOpenDocument(document, envelope)
      ? { ...earlier, document }
      : [];
  });
  if (asked.length === 0) return offered;
  const values = await readEarlierValues(
    deps.db,
    asked.map(({ id }) => id),
  );
  for (const { id, answeredAt, document } of asked) {
    const value = values.get(id) ?? null;
    if (value !== null && "answer" in readAnswer(document, value, today))
      offered.set(document.id, { value, answeredAt });
  }
  return offered;
}

/**
 * What the recipient has answered: what is sent now and, of other questions, what is kept.
 * @throws AppError like `readSentAnswers`
 */
export async function givenAnswers(
  deps: Opening,
  envelope: RecipientEnvelope,
  sent: ReadAnswers,
): Promise<Map<number, Answer>> {
  const given = new Map<number, Answer>();
  for (const [id, { value }] of await keptAnswers(deps, envelope)) if (!sent.has(id)) given.set(id, value);
  for (const [id, answer] of sent) if (answer !== null) given.set(id, answer);
  return given;
}

/** A confidential answer. @throws SecretKeyMissingError */
export const openAnswer = async (
  { secretBox }: Pick<Dependencies, "secretBox">,
  documentId: number,
  sealed: Answer,
): Promise<Answer> => JSON.parse(await secretBox.open(String(sealed), SEALED_CONTEXTS.answer(documentId)));

/** The answers as they are stored: confidential ones are sealed. */
export function sealAnswers(
  { secretBox }: Pick<Dependencies, "secretBox">,
  documents: readonly Pick<RequestedDocument, "id" | "confidential">[],
  given: ReadonlyMap<number, Answer>,
): Promise<StoredAnswer[]> {
  const answered = documents.flatMap(({ id, confidential }) => {
    const answer = given.get(id);
    return answer === undefined ? [] : { documentId: id, answer, sealed: confidential };
  });
  return Promise.all(
    answered.map(async ({ documentId, answer, sealed }) => ({
      documentId,
      sealed,
      value: sealed
        ? await secretBox.seal(JSON.stringify(answer), SEALED_CONTEXTS.answer(documentId))
        : answer,
    })),
  );
}
