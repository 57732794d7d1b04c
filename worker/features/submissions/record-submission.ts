import type { Statement } from "../../../db/client";
import { type StoredAnswer, submitAnswers, updateHidden } from "../../../db/queries/answers";
import { insertEvents } from "../../../db/queries/envelope-events";
import { insertFileDeletions } from "../../../db/queries/file-deletions";
import { queueSubmitted } from "../../../db/queries/file-deliveries";
import { requireSpaceForAnswers } from "../../../db/queries/quotas";
import {
  completeEnvelope,
  insertSubmissions,
  pendingEnvelopeId,
  type RecipientEnvelope,
  supersedeFiles,
  updateSkippedDocuments,
  type Validity,
} from "../../../db/queries/submissions";
import {
  deleteSubmittedUploads,
  deleteUploads,
  type FinishedUpload,
  uploadsById,
  uploadsOfLink,
} from "../../../db/queries/uploads";
import { awaitsReview } from "../../contract/awaits-review";
import { byteLength } from "../../contract/file-name-rule";
import { MESSAGES } from "../../contract/messages";
import type { Answer } from "../../contract/questions";
import type { SubmitInput } from "../../contract/submissions";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { nameByContent } from "../../lib/file-names";
import { isOpenDocument, submittedState } from "../envelope-rules/documents";
import { planValidity } from "../envelope-rules/validity";
import type { UploadedFile } from "../files/incoming-files";
import { queueSubmissionNotices } from "../notifications/outbox";
import { acceptedTypes, type RequestedDocument, requireAllowedType, type SentFile } from "./document-rules";

/** Whether it asks questions, for days, or for documents under a condition. */
export const hasQuestions = ({ documents }: RecipientEnvelope): boolean =>
  documents.some(({ kind, showIf, asksValidUntil }) => kind !== "file" || showIf !== null || asksValidUntil);

/** What a recipient submits at once: files in the request itself, files uploaded before, and texts. */
export type Submission = {
  sent: readonly UploadedFile<SentFile>[];
  staged: readonly FinishedUpload[];
  /** Uploads that a submitted file replaces, and those for documents that are not asked. */
  replaced: readonly Pick<FinishedUpload, "rowId">[];
  /** The keys of files in the request for documents that are not asked. */
  dropped: readonly string[];
  /** Of the questions that are asked. */
  answers: readonly StoredAnswer[];
  /** Until when the documents are valid, by their ids. */
  days: ReadonlyMap<number, string>;
  asked: ReadonlySet<RequestedDocument>;
  texts: Omit<SubmitInput, "answers">;
};

/** A submitted file, as the recipient sees it. */
export type SubmittedFile = {
  document: RequestedDocument;
  fileName: string;
  fileSize: number;
  sha256: string | null;
};

/**
 * The document, if the recipient can answer it.
 * @throws AppError `document_has_file`, or `document_answered` for a question, if it was received
 */
export function requireOpenDocument(
  envelope: RecipientEnvelope,
  document: RequestedDocument,
): RequestedDocument {
  if (!isOpenDocument(document, envelope))
    throw appError(document.kind === "file" ? "document_has_file" : "document_answered", {
      params: { document: document.name },
    });
  return document;
}

/**
 * @throws AppError `missing_documents`, naming every required document without a file and without the reason that it
 *   may have instead; `nothing_to_submit`
 */
export function requireCompleteSubmission(
  envelope: RecipientEnvelope,
  { answered, asked, texts }: Pick<Submission, "asked" | "texts"> & { answered: ReadonlySet<number> },
): void {
  const { note, skipped } = texts;
  const withReason = new Set(skipped.flatMap(({ documentId, reason }) => (reason ? [documentId] : [])));
  const isAnswered = (document: RequestedDocument) =>
    answered.has(document.id) ||
    (document.reasonAllowed && withReason.has(document.id)) ||
    // The reason of an earlier submission, unless a new answer takes its place.
    awaitsReview({ ...document, state: submittedState(document, envelope) });
  const missing = [...asked].filter(
    (document) => document.required && !isAnswered(document) && isOpenDocument(document, envelope),
  );
  if (missing.length > 0)
    throw appError("missing_documents", {
      params: { document: missing.map(({ name }) => name).join(", ") },
      issues: missing.map(({ id, kind }) => ({
        path: `${kind === "file" ? "documents" : "answers"}.${id}`,
        message: MESSAGES.answerRequired,
      })),
    });
  if (answered.size === 0 && skipped.length === 0 && note === null) throw appError("nothing_to_submit");
}

/** @throws AppError `missing_valid_until`, naming every file without the day until which it is valid */
export function requireDays(
  { asked, days }: Pick<Submission, "asked" | "days">,
  staged: readonly FinishedUpload[],
): void {
  const missing = [...asked].filter(
    ({ id, asksValidUntil }) =>
      asksValidUntil && !days.has(id) && staged.some((file) => file.envelopeDocumentId === id),
  );
  if (missing.length > 0)
    throw appError("missing_valid_until", {
      params: { document: missing.map(({ name }) => name).join(", ") },
      issues: missing.map(({ id }) => ({ path: `answers.${id}`, message: MESSAGES.validUntilRequired })),
    });
}

/**
 * The envelope's requirements may have changed since the files were uploaded.
 * @throws AppError `file_type_not_allowed`, `duplicate_document`
 */
export function requireStillAccepted(envelope: RecipientEnvelope, staged: readonly FinishedUpload[]): void {
  for (const document of envelope.documents) {
    const files = staged.filter(({ envelopeDocumentId }) => envelopeDocumentId === document.id);
    const accepted = acceptedTypes(document);
    for (const { fileName, mimeType } of files)
      for (const name of [fileName, nameByContent(fileName, mimeType ?? "")])
        requireAllowedType(document, name, accepted);
    if (files.length > 1 && !document.multiple)
      throw appError("duplicate_document", { params: { document: document.name } });
  }
}

const validities = (
  { documents, user }: RecipientEnvelope,
  days: Submission["days"],
  createdAt: string,
): Validity[] =>
  documents.flatMap(({ id: documentId, renewDays }) => {
    const validUntil = days.get(documentId);
    if (validUntil === undefined) return [];
    const plan = planValidity({ validUntil, renewDays }, new Date(createdAt), user.timeZone);
    return { documentId, validUntil, ...plan };
  });

/** The submitted files, in the order of the documents. */
export function submittedFiles(envelope: RecipientEnvelope, submission: Submission): SubmittedFile[] {
  const { sent, staged } = submission;
  return envelope.documents.flatMap((document) => [
    ...staged
      .filter(({ envelopeDocumentId }) => envelopeDocumentId === document.id)
      .map(({ fileName, fileSize, sha256 }) => ({ document, fileName, fileSize, sha256 })),
    ...sent
      .filter(({ about }) => about.document.id === document.id)
      .map(({ about, size, sha256 }) => ({ document, fileName: about.fileName, fileSize: size, sha256 })),
  ]);
}

/**
 * Statements that record a submission and complete the envelope, all or nothing.
 * @param left "any" rejects the submission if there is an upload that is not part of it; "finished" ignores unfinished
 *   ones
 */
export function submissionStatements(
  { db, config }: Pick<Dependencies, "db" | "config">,
  envelope: RecipientEnvelope,
  submission: Submission,
  { address, createdAt, left }: { address: string; createdAt: string; left: "finished" | "any" },
): Statement[] {
  const { sent, staged, replaced, dropped, answers, days, asked, texts } = submission;
  const { submissionToken: token } = envelope;
  const answered = [
    ...new Set([
      ...sent.map(({ about }) => about.document.id),
      ...staged.map(({ envelopeDocumentId }) => envelopeDocumentId),
      ...answers.map(({ documentId }) => documentId),
    ]),
  ];
  const again = [...answered, ...texts.skipped.map(({ documentId }) => documentId)];
  const hidden = envelope.documents.flatMap((document) => (asked.has(document) ? [] : [document.id]));
  const kept = envelope.answers.filter(({ submittedAt }) => submittedAt === null);
  return [
    ...queueSubmissionNotices(db, envelope, { ...texts, token, createdAt }),
    supersedeFiles(db, token, again),
    ...(hasQuestions(envelope)
      ? [
          ...submitAnswers(db, envelope, { given: answers, asked: again, now: createdAt }),
          updateHidden(db, token, hidden),
        ]
      : []),
    ...insertSubmissions(db, token, {
      sent: sent.map(({ about, key, size, mimeType, sha256, verdict }) => ({
        envelopeDocumentId: about.document.id,
        documentName: about.document.name,
        filePath: key,
        fileName: about.fileName,
        fileSize: size,
        mimeType,
        sha256,
        // Quarantined until the scanner has a verdict.
        scanDueAt: verdict?.kind === "unknown" ? createdAt : null,
      })),
      ...{ staged, createdAt },
    }),
    insertEvents(db, pendingEnvelopeId(token), {
      userId: null,
      address,
      kinds: ["submitted"],
      detail: texts.note,
      at: createdAt,
    }),
    ...(envelope.hasDestinations ? queueSubmitted(db, envelope.id, createdAt) : []),
    ...(staged.length > 0 ? [deleteSubmittedUploads(db, staged)] : []),
    ...(replaced.length > 0 ? deleteUploads(db, uploadsById(replaced), createdAt) : []),
    ...(dropped.length > 0 ? [insertFileDeletions(db, dropped, createdAt)] : []),
    updateSkippedDocuments(db, token, {
      ...{ skipped: texts.skipped, answered },
      days: envelope.documents.some(({ asksValidUntil, validUntil }) => asksValidUntil || validUntil !== null)
        ? validities(envelope, days, createdAt)
        : undefined,
    }),
    ...completeEnvelope(db, envelope, {
      completedAt: createdAt,
      note: texts.note,
      // What was uploaded before is counted already.
      quotas: sent.length > 0 ? config.quotas : null,
      left,
    }),
    // Otherwise there are none, or the envelope is not completed.
    ...(left === "finished" ? deleteUploads(db, uploadsOfLink(token), createdAt) : []),
    // Last: what was uploaded counts either as an upload or as a file.
    ...requireSpace({ db, config }, envelope, answers, kept),
  ];
}

/** The statements that make a batch fail if the answers take more space than those that they replace, and there is none. */
export const requireSpace = (
  { db, config }: Pick<Dependencies, "db" | "config">,
  envelope: RecipientEnvelope,
  answers: Parameters<typeof bytesOf>[0],
  replaced: Parameters<typeof bytesOf>[0],
): Statement[] =>
  bytesOf(answers) > bytesOf(replaced) ? [requireSpaceForAnswers(db, config.quotas, envelope)] : [];

const bytesOf = (answers: readonly { value: Answer | null }[]) =>
  byteLength(JSON.stringify(answers.map(({ value }) => value)));
