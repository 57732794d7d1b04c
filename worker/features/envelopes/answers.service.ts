import { runBatch } from "../../../db/client";
import { type Caller, insertEvents } from "../../../db/queries/envelope-events";
import { isEnvelopeMissing, ownEnvelopeId } from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import {
  type AnsweredEnvelope,
  type AnswersFilter,
  countOwn,
  deleteSubmittedAnswer,
  findSubmittedAnswer,
  listAnsweredEnvelopes,
  listQuestionNames,
} from "../../../db/queries/submitted-answers";
import type { CsvCell } from "../../contract/csv-line";
import { documentKey } from "../../contract/document-names";
import type { Language } from "../../contract/options";
import type { Answer } from "../../contract/questions";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, validationError } from "../../errors";
import { csvFile } from "../../lib/csv";
import { type MailText, mailTextOf } from "../notifications/mail-texts";
import { openAnswer } from "../submissions/answers";
import { requireEnvelope } from "./envelopes.service";

/** Reads a submitted answer, and records that it was revealed. @throws AppError `not_found` without one, `envelope_not_found`, `role_required` */
export async function revealAnswer(
  deps: Dependencies,
  caller: Caller,
  envelopeId: number,
  documentId: number,
): Promise<Answer> {
  const found = await findSubmittedAnswer(deps.db, caller, envelopeId, documentId);
  if (!found || found.value === null) throw await noAnswer(deps, caller, envelopeId);
  const { value, sealed, name } = found;
  await recordOn(deps, caller, envelopeId, { kind: "revealed", name });
  return sealed ? openAnswer(deps, documentId, value) : value;
}

/** Deletes the submitted values of a question; that it was answered remains. @throws AppError like `revealAnswer` */
export async function deleteAnswer(
  deps: Dependencies,
  caller: Caller,
  envelopeId: number,
  documentId: number,
): Promise<void> {
  const found = await findSubmittedAnswer(deps.db, caller, envelopeId, documentId);
  if (!found) throw await noAnswer(deps, caller, envelopeId);
  await recordOn(deps, caller, envelopeId, { kind: "answer_deleted", name: found.name }, documentId);
}

async function noAnswer(deps: Dependencies, caller: Caller, envelopeId: number) {
  await requireEnvelope(deps, caller, envelopeId);
  return appError("not_found");
}

async function recordOn(
  { db, clock }: Dependencies,
  caller: Caller,
  envelopeId: number,
  { kind, name }: { kind: "revealed" | "answer_deleted"; name: string },
  deletes?: number,
): Promise<void> {
  const { userId, address } = caller;
  const at = clock.now().toISOString();
  await runBatch(db, [
    insertEvents(db, ownEnvelopeId(caller, envelopeId), { userId, address, kinds: [kind], detail: name, at }),
    ...(deletes === undefined ? [] : deleteSubmittedAnswer(db, caller, envelopeId, deletes)),
  ]).catch(rejectedAs(isEnvelopeMissing, "envelope_not_found"));
}

/** Others wait for one page, with as many envelopes as have so many cells. */
const PAGE = 50;
const CELLS = 25_000;
/** In turn with others, and of a Worker, whose queries are counted. */
const PAGE_OF_NAMES = { inTurn: 25, atOnce: 100 };
/** Each is a cell of every row. A spreadsheet has no more columns, with those of the envelope. */
const MOST_QUESTIONS = 16_380;

/**
 * The answers of completed envelopes as a CSV file: a row for each envelope, a column for each question by its name.
 * @throws AppError `envelope_not_found` if one of `ids` is not the caller's; `validation` if there are too many questions
 */
export async function answersCsv(
  deps: Dependencies,
  member: Member,
  filter: AnswersFilter,
  language: Language,
): Promise<ReadableStream<Uint8Array>> {
  const { db, takeTurn } = deps;
  const ids = filter.ids && [...new Set(filter.ids)];
  if (ids && (await countOwn(db, member, ids)) < ids.length) throw appError("envelope_not_found");
  const t = mailTextOf(await deps.loadMailTexts(language), language);
  const columns = new Map<string, string>();
  const limit = takeTurn ? PAGE_OF_NAMES.inTurn : PAGE_OF_NAMES.atOnce;
  for (let before: number | undefined; ; ) {
    await takeTurn?.();
    const { names, last } = await listQuestionNames(db, member, filter, { before, limit });
    for (const name of names) if (!columns.has(documentKey(name))) columns.set(documentKey(name), name);
    if (columns.size > MOST_QUESTIONS)
      throw validationError([
        { path: "ids", message: `A list holds at most ${MOST_QUESTIONS} questions: choose fewer requests` },
      ]);
    if (last === undefined) break;
    before = last;
  }
  return csvFile(
    [...headOf(t), ...columns.values()],
    answerPages(deps, member, filter, [...columns.keys()], t),
  );
}

export const headOf = (t: MailText) => [
  t("answers.recipient"),
  t("answers.email"),
  t("answers.subject"),
  t("answers.submittedAt"),
];

async function* answerPages(
  { db, takeTurn }: Dependencies,
  member: Member,
  filter: AnswersFilter,
  keys: readonly string[],
  t: MailText,
) {
  const limit = Math.max(1, Math.min(PAGE, Math.floor(CELLS / keys.length)));
  for (let before: number | undefined; ; ) {
    await takeTurn?.();
    const rows = await listAnsweredEnvelopes(db, member, filter, { before, limit }, takeTurn);
    if (rows.length === 0) return;
    yield rows.map((envelope) => answerCells(envelope, keys, t));
    before = rows.at(-1)?.id;
  }
}

/** One line: the envelope, then its answer to each question. */
export function answerCells(envelope: AnsweredEnvelope, keys: readonly string[], t: MailText): CsvCell[] {
  const cells = new Map(
    submittedAnswers(envelope).map(({ document, value }) => [
      documentKey(document.name),
      document.kind === "number" && typeof value === "string"
        ? { decimal: value }
        : answerText(value, document, t, ";"),
    ]),
  );
  const { recipientName, title, customerEmail, subject, completedAt } = envelope;
  return [
    ...[recipientName ?? title, customerEmail, subject ?? "", completedAt ?? ""],
    ...keys.map((key) => cells.get(key) ?? ""),
  ];
}

type Question = AnsweredEnvelope["documents"][number];

/** The questions that were answered, in order; the value of a deleted answer is null, of a confidential one undefined. */
export function submittedAnswers({ documents, answers }: AnsweredEnvelope) {
  const last = new Map(
    answers.flatMap((row) =>
      row.submittedAt === null || row.superseded ? [] : [[row.requestDocumentId, row]],
    ),
  );
  return documents.flatMap((document: Question) => {
    const row = document.kind === "file" ? undefined : last.get(document.id);
    return row ? [{ document, value: row.sealed && row.value !== null ? undefined : row.value }] : [];
  });
}

/** An answer as people read it; several choices with the separator between them. */
export function answerText(
  value: Answer | null | undefined,
  { kind }: Question,
  t: MailText,
  separator = "; ",
): string {
  if (value === undefined) return t("answers.confidential");
  if (value === null) return "";
  if (kind === "yesNo") return t(value === "yes" ? "answers.yes" : "answers.no");
  return [value].flat().join(separator);
}
