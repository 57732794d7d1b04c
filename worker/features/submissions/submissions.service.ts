import { runBatch } from "../../../db/client";
import { insertOpening } from "../../../db/queries/envelope-events";
import {
  findEnvelopeForRecipient,
  isSubmissionRejected,
  type RecipientEnvelope,
} from "../../../db/queries/submissions";
import { type FinishedUpload, listFinishedUploads } from "../../../db/queries/uploads";
import { LIMITS } from "../../contract/limits";
import type { SubmitInput } from "../../contract/submissions";
import { DEFAULT_TIME_ZONE } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { isExpired } from "../../lib/expiration";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { takeUpload, type UploadBody, type UploadedFile } from "../files/upload";
import { requireWithinQuotas, reserveForEnvelope } from "../files/upload-quotas";
import { requestorName } from "../notifications/mail-names";
import { deliverSoon } from "../notifications/outbox";
import {
  requireCompleteSubmission,
  requireOpenDocument,
  requireStillAccepted,
  type SubmittedFile,
  submissionStatements,
  submittedFiles,
} from "./record-submission";
import { acceptFile, documentFinder, type SentFile } from "./submission-files";

/**
 * The envelope of a valid link. While the requestor's account is disabled, the link is not found, because nobody would
 * read the files.
 * @throws AppError `submission_not_found` (also for a draft), `completed`, `expired`
 */
export async function requireOpenEnvelope(
  { db, clock }: Dependencies,
  token: string,
): Promise<RecipientEnvelope> {
  const envelope = await findEnvelopeForRecipient(db, token);
  if (!envelope || envelope.status === "draft" || envelope.user.disabledAt !== null)
    throw appError("submission_not_found");
  if (envelope.status === "completed") throw appError("completed");
  if (isExpired(envelope, clock.now())) throw expiredError(envelope);
  return envelope;
}

/**
 * Records that somebody other than the requestor opened the envelope. Only the first time counts.
 * @throws AppError like `requireOpenEnvelope`
 */
export async function recordOpening(
  deps: Dependencies,
  token: string,
  visitor: { userId: number | undefined; address: string },
): Promise<void> {
  const envelope = await requireOpenEnvelope(deps, token);
  if (envelope.userId === visitor.userId) return;
  const opening = { address: visitor.address, at: deps.clock.now().toISOString() };
  await runBatch(deps.db, [insertOpening(deps.db, token, opening)]);
}

/** Adds when the link expired and whom to ask for a new one. */
function expiredError({ expirationDate, expiresAt, timeZone, user }: RecipientEnvelope): AppError {
  return appError("expired", {
    params: {
      date: expirationDate ?? "",
      expiresAt: expiresAt ?? "",
      timeZone: timeZone ?? DEFAULT_TIME_ZONE,
      name: requestorName(user),
      email: user.email,
    },
  });
}

export type Submitted = { envelopeId: number; submittedAt: string; files: SubmittedFile[] };

const NO_TEXTS: SubmitInput = { note: null, skipped: [] };

/**
 * Submits the recipient's files, together with those uploaded before, and completes the envelope, all or nothing. A
 * file in the request replaces the files uploaded before for its document.
 * @throws AppError for a rejected file, naming the document; `completed` if another submission won, `envelope_changed`
 *   if the envelope's requirements have changed
 */
export async function completeSubmission(
  deps: Dependencies,
  token: string,
  upload: UploadBody & { address: string },
): Promise<Submitted> {
  const { address } = upload;
  const envelope = await requireOpenEnvelope(deps, token);
  const finished = await listFinishedUploads(deps.db, token);
  const findDocument = documentFinder(envelope.documents);
  const documentFor = (name: string) => requireOpenDocument(envelope, findDocument(name));
  const several = envelope.documents.some(({ multiple }) => multiple);
  const submitted = await takeUpload<SentFile, Submitted>(deps, upload, {
    maxParts: envelope.documents.length * (several ? LIMITS.filesPerDocument : 1) + 1,
    async reserve(leaseId) {
      const bytes = await reserveForEnvelope(deps, token, leaseId, upload.contentLength);
      if (bytes !== null) return bytes;
      await requireOpenEnvelope(deps, token);
      throw appError("envelope_changed");
    },
    rejectField: (name) => appError("not_a_file", { params: { document: documentFor(name).name } }),
    acceptFile: ({ name, fileName }, before) =>
      acceptFile(documentFor(name), { sentName: fileName, before, maxBytes: deps.config.maxFileBytes }),
    requireComplete(sent) {
      const { staged } = partitionUploads(finished, sent);
      requireStillAccepted(envelope, staged);
      const withFiles = [...sent.map(({ document }) => document.id), ...staged.map(documentOf)];
      requireCompleteSubmission(envelope, new Set(withFiles), NO_TEXTS);
    },
    async record(sent, save) {
      requireClean(sent);
      const files = partitionUploads(
        finished,
        sent.map(({ about }) => about),
      );
      const submission = { sent, ...files, texts: NO_TEXTS };
      const createdAt = openMoment(deps, envelope);
      const how = { address, createdAt, left: "finished" } as const;
      await save(submissionStatements(deps, envelope, submission, how));
      return {
        envelopeId: envelope.id,
        submittedAt: createdAt,
        files: submittedFiles(envelope, submission),
      };
    },
    explainRejection: () => explainRejection(deps, token, envelope),
  });
  await afterSubmission(deps);
  return submitted;
}

/**
 * Submits the files that the recipient has uploaded before, and completes the envelope, all or nothing.
 * @throws AppError `uploads_unfinished` before anything else; `missing_documents`, `nothing_to_submit`,
 *   `unknown_document`, `document_has_file`; `completed` if another submission won, `envelope_changed`
 */
export async function submitUploads(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  { texts, address }: { texts: SubmitInput; address: string },
): Promise<Submitted> {
  const { submissionToken: token } = envelope;
  const staged = await listFinishedUploads(deps.db, token);
  const withFiles = new Set(staged.map(documentOf));
  requireSkippable(envelope, withFiles, texts);
  requireStillAccepted(envelope, staged);
  requireCompleteSubmission(envelope, withFiles, texts);
  const submission = { sent: [], staged, replaced: [], texts };
  const createdAt = openMoment(deps, envelope);
  const how = { address, createdAt, left: "any" } as const;
  try {
    await runBatch(deps.db, submissionStatements(deps, envelope, submission, how));
  } catch (error) {
    requireUploadsFinished(await requireOpenEnvelope(deps, token));
    await explainRejection(deps, token, envelope);
    if (isSubmissionRejected(error)) throw appError("envelope_changed");
    throw error;
  }
  await afterSubmission(deps);
  return { envelopeId: envelope.id, submittedAt: createdAt, files: submittedFiles(envelope, submission) };
}

/** @throws AppError `uploads_unfinished` */
export function requireUploadsFinished({ uploads }: RecipientEnvelope): void {
  if (uploads.some(({ completedAt }) => completedAt === null)) throw appError("uploads_unfinished");
}

/** @throws AppError `unknown_document`, `document_has_file` */
function requireSkippable(
  envelope: RecipientEnvelope,
  withFiles: ReadonlySet<number>,
  { skipped }: SubmitInput,
): void {
  for (const { documentId } of skipped) {
    const document = envelope.documents.find(({ id }) => id === documentId);
    const params = { document: document?.name ?? String(documentId) };
    if (!document) throw appError("unknown_document", { params });
    requireOpenDocument(envelope, document);
    if (withFiles.has(documentId)) throw appError("document_has_file", { params, status: 400 });
  }
}

/** The current time, unless the link has expired meanwhile. @throws AppError `expired` */
function openMoment({ clock }: Dependencies, envelope: RecipientEnvelope): string {
  const now = clock.now();
  if (isExpired(envelope, now)) throw expiredError(envelope);
  return now.toISOString();
}

/** Sends the notices, and removes replaced files. */
async function afterSubmission(deps: Dependencies): Promise<void> {
  deliverSoon(deps);
  await tryDeletePendingFiles(deps);
}

const documentOf = ({ requestDocumentId }: FinishedUpload) => requestDocumentId;

/** The finished uploads that are submitted together with the request's files, and those that these replace. */
function partitionUploads(finished: readonly FinishedUpload[], sent: readonly SentFile[]) {
  const isReplaced = (upload: FinishedUpload) =>
    sent.some(({ document }) => document.id === upload.requestDocumentId);
  return {
    staged: finished.filter((upload) => !isReplaced(upload)),
    replaced: finished.filter(isReplaced),
  };
}

/** @throws AppError `infected_file` */
function requireClean(files: readonly UploadedFile<SentFile>[]): void {
  const infected = files.find(({ verdict }) => verdict?.kind === "infected");
  if (infected) throw appError("infected_file", { params: { document: infected.about.document.name } });
}

/** @throws AppError like `requireOpenEnvelope`; `envelope_changed`, `storage_full` */
async function explainRejection(deps: Dependencies, token: string, seen: RecipientEnvelope): Promise<void> {
  const now = await requireOpenEnvelope(deps, token);
  if (contentOf(now) !== contentOf(seen)) throw appError("envelope_changed");
  await requireWithinQuotas(deps, token);
}

const contentOf = ({ documents, uploads }: RecipientEnvelope): string =>
  JSON.stringify([documents, uploads.flatMap(({ id, completedAt }) => (completedAt ? [id] : []))]);
