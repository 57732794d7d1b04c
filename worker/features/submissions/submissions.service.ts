import { runBatch } from "../../../db/client";
import { insertEvents, insertOpening } from "../../../db/queries/envelope-events";
import type { Member } from "../../../db/queries/members";
import { findReplacedLink } from "../../../db/queries/replaced-links";
import {
  findEnvelopeForRecipient,
  findSubmittedList,
  isSubmissionRejected,
  pendingEnvelopeId,
  type RecipientEnvelope,
} from "../../../db/queries/submissions";
import { type FinishedUpload, listFinishedUploads } from "../../../db/queries/uploads";
import { LIMITS } from "../../contract/limits";
import type { SubmitInput } from "../../contract/submissions";
import { DEFAULT_TIME_ZONE } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { readMultipart } from "../../lib/multipart";
import { hashToken } from "../../lib/tokens";
import { isOpenDocument } from "../envelope-rules/documents";
import { isExpired } from "../envelope-rules/envelope-dates";
import { tryDeletePendingFiles } from "../files/file-deletions";
import {
  type IncomingFiles,
  type UploadBody,
  type UploadedFile,
  withIncomingFiles,
} from "../files/incoming-files";
import { requireWithinQuotas, reserveForEnvelope } from "../files/upload-quotas";
import { requestorName } from "../notifications/formats";
import { deliverSoon, queueMessage } from "../notifications/outbox";
import { RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { acceptFile, documentFinder, type SentFile } from "./document-rules";
import { brandView } from "./recipient-view";
import {
  requireCompleteSubmission,
  requireOpenDocument,
  requireStillAccepted,
  type SubmittedFile,
  submissionStatements,
  submittedFiles,
} from "./record-submission";

/**
 * The envelope of a valid link. While the requestor's account is disabled, the link is not found, because nobody would
 * read the files.
 * @throws AppError `submission_not_found` (also for a draft), `link_replaced`, `completed`, `expired`
 */
export async function requireOpenEnvelope(
  { db, clock }: Dependencies,
  token: string,
): Promise<RecipientEnvelope> {
  const envelope = await requireSentEnvelope(db, token);
  if (envelope.status === "completed")
    throw appError("completed", {
      ...(await findSubmittedList(db, token)),
      ...linkView(envelope),
    });
  if (isExpired(envelope, clock.now())) throw expiredError(envelope);
  return envelope;
}

/**
 * The same for a page that shows it, which may be a little behind: what is submitted is checked again. What a replica
 * refuses is asked of the database, because a new link may not have reached it.
 * @throws AppError like `requireOpenEnvelope`
 */
export function readOpenEnvelope(deps: Dependencies, token: string): Promise<RecipientEnvelope> {
  const { replica } = deps;
  if (!replica) return requireOpenEnvelope(deps, token);
  return requireOpenEnvelope({ ...deps, db: replica }, token).catch(() => requireOpenEnvelope(deps, token));
}

/** The envelope of a link, which may be over. @throws AppError `submission_not_found`, `link_replaced` */
export async function requireSentEnvelope(db: Dependencies["db"], token: string): Promise<RecipientEnvelope> {
  const envelope = await findEnvelopeForRecipient(db, token);
  if (!envelope && (await findReplacedLink(db, await hashToken(token)))) throw appError("link_replaced");
  if (!envelope || envelope.status === "draft" || envelope.user.disabledAt !== null)
    throw appError("submission_not_found");
  return envelope;
}

const linkView = (envelope: RecipientEnvelope) => ({
  ...(envelope.language && { language: envelope.language }),
  brand: brandView(envelope),
});

/**
 * Records that somebody who is no member of the workspace opened the envelope. Only the first time counts.
 * @throws AppError like `requireOpenEnvelope`
 */
export async function recordOpening(
  deps: Dependencies,
  token: string,
  visit: { visitor: Member | undefined; address: string },
): Promise<void> {
  await requireOpenEnvelope(deps, token);
  const opening = { ...visit, at: deps.clock.now().toISOString() };
  await runBatch(deps.db, [insertOpening(deps.db, token, opening)]);
}

/**
 * Sends the requestor a message before the submission. It is part of the timeline.
 * @throws AppError `rate_limited`; like `requireOpenEnvelope` if the link was closed meanwhile
 */
export async function sendMessage(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  { text, address }: { text: string; address: string },
): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  requireAllowed(await rateLimiter.hit(RATE_RULES.messagesOfLink, String(envelope.id)));
  const at = clock.now().toISOString();
  const event = { userId: null, address, kinds: ["messaged"], detail: text, at } as const;
  try {
    await runBatch(db, [
      insertEvents(db, pendingEnvelopeId(envelope.submissionToken), event),
      queueMessage(db, envelope, { text, createdAt: at }),
    ]);
  } catch (error) {
    await requireOpenEnvelope(deps, envelope.submissionToken);
    throw error;
  }
  deliverSoon(deps);
}

/** Adds when the link expired and whom to ask for a new one. */
function expiredError(envelope: RecipientEnvelope): AppError {
  const { expirationDate, expiresAt, timeZone, user } = envelope;
  return appError("expired", {
    ...linkView(envelope),
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

const NO_TEXTS: SubmitInput = { note: null, skipped: [], language: null };

/**
 * Submits the recipient's files, together with those uploaded before, and completes the envelope, all or nothing. A
 * file in the request replaces the files uploaded before for its document.
 * @throws AppError for a rejected file, naming the document; `completed` if another submission won, `envelope_changed`
 *   if the envelope's requirements have changed
 */
export async function completeSubmission(
  deps: Dependencies,
  token: string,
  upload: SentBody,
): Promise<Submitted> {
  const envelope = await requireOpenEnvelope(deps, token);
  const finished = await finishedUploads(deps, envelope);
  const reserve = async (leaseId: string) => {
    const reservation = await reserveForEnvelope(deps, token, leaseId, upload.contentLength);
    if (reservation) return reservation;
    await requireOpenEnvelope(deps, token);
    throw appError("envelope_changed");
  };
  const submitted = await withIncomingFiles<SentFile, Submitted>(deps, reserve, async (incoming) => {
    await receiveParts(deps, envelope, upload, incoming);
    const { staged, replaced } = partitionUploads(finished, incoming.received);
    requireStillAccepted(envelope, staged);
    const withFiles = [...incoming.received.map(({ document }) => document.id), ...staged.map(documentOf)];
    requireCompleteSubmission(envelope, new Set(withFiles), NO_TEXTS);
    const sent = await incoming.finish();
    requireClean(sent);
    const submission = { sent, staged, replaced, texts: NO_TEXTS };
    const createdAt = submissionTime(deps, envelope);
    const how = { address: upload.address, createdAt, left: "finished" } as const;
    const statements = submissionStatements(deps, envelope, submission, how);
    await incoming.record(statements, () => explainRejection(deps, token, envelope));
    return { envelopeId: envelope.id, submittedAt: createdAt, files: submittedFiles(envelope, submission) };
  });
  await afterSubmission(deps);
  return submitted;
}

type SentBody = UploadBody & { contentLength: number | undefined; address: string };

/** Receives a file for each part, which has the name of its document. @throws AppError naming the document */
async function receiveParts(
  { config }: Dependencies,
  envelope: RecipientEnvelope,
  upload: UploadBody,
  incoming: IncomingFiles<SentFile>,
): Promise<void> {
  const findDocument = documentFinder(envelope.documents);
  const several = envelope.documents.some(({ multiple }) => multiple);
  const maxParts = envelope.documents.length * (several ? LIMITS.filesPerDocument : 1) + 1;
  for await (const { name, fileName, bytes } of readMultipart(upload, { maxParts })) {
    const document = requireOpenDocument(envelope, findDocument(name));
    if (fileName === undefined) throw appError("not_a_file", { params: { document: document.name } });
    const known = { sentName: fileName, before: incoming.received, maxBytes: config.maxFileBytes };
    await incoming.receive(bytes, acceptFile(document, known));
  }
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
  const staged = await finishedUploads(deps, envelope);
  const withFiles = new Set(staged.map(documentOf));
  requireSkippable(envelope, withFiles, texts);
  requireStillAccepted(envelope, staged);
  requireCompleteSubmission(envelope, withFiles, texts);
  const submission = { sent: [], staged, replaced: [], texts };
  const createdAt = submissionTime(deps, envelope);
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

/** Without a query for an envelope that has none. One that finishes meanwhile rejects the submission. */
const finishedUploads = async ({ db }: Dependencies, { uploads, submissionToken }: RecipientEnvelope) =>
  uploads.some(({ completedAt }) => completedAt !== null) ? listFinishedUploads(db, submissionToken) : [];

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
    if (withFiles.has(documentId) || !isOpenDocument(document, envelope.submissions))
      throw appError("document_has_file", { params, status: 400 });
  }
}

/** The current time, unless the link has expired meanwhile. @throws AppError `expired` */
function submissionTime({ clock }: Dependencies, envelope: RecipientEnvelope): string {
  const now = clock.now();
  if (isExpired(envelope, now)) throw expiredError(envelope);
  return now.toISOString();
}

/** Sends the notices, and removes replaced files. */
async function afterSubmission(deps: Dependencies): Promise<void> {
  deliverSoon(deps);
  await tryDeletePendingFiles(deps);
}

const documentOf = ({ envelopeDocumentId }: FinishedUpload) => envelopeDocumentId;

/** The finished uploads that are submitted together with the request's files, and those that these replace. */
function partitionUploads(finished: readonly FinishedUpload[], sent: readonly SentFile[]) {
  const isReplaced = (upload: FinishedUpload) =>
    sent.some(({ document }) => document.id === upload.envelopeDocumentId);
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
