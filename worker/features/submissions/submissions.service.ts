import { runBatch } from "../../../db/client";
import { keepAnswers } from "../../../db/queries/answers";
import { insertEvents, insertOpening } from "../../../db/queries/envelope-events";
import type { Member } from "../../../db/queries/members";
import { findReplacedLink } from "../../../db/queries/replaced-links";
import {
  findEnvelopeForRecipient,
  findSubmittedList,
  findSubmittedSize,
  isSubmissionRejected,
  pendingEnvelopeId,
  type RecipientEnvelope,
} from "../../../db/queries/submissions";
import { type FinishedUpload, listFinishedUploads } from "../../../db/queries/uploads";
import type { SentAnswers } from "../../contract/answers";
import { byteLength } from "../../contract/file-name-rule";
import { LIMITS, SERVER_LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import { isUnsent } from "../../contract/options";
import { isFilled } from "../../contract/patterns";
import type { Answer } from "../../contract/questions";
import type { SubmitInput } from "../../contract/submissions";
import { DEFAULT_TIME_ZONE } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { readMultipart, readText } from "../../lib/multipart";
import { hashToken } from "../../lib/tokens";
import { askedDocuments, isOpenDocument, withEarlierAnswers } from "../envelope-rules/documents";
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
import { givenAnswers, type ReadAnswers, readSentAnswers, sealAnswers } from "./answers";
import { acceptFile, documentFinder, type RequestedDocument, type SentFile } from "./document-rules";
import { brandView } from "./recipient-view";
import {
  hasQuestions,
  requireCompleteSubmission,
  requireDays,
  requireOpenDocument,
  requireSpace,
  requireStillAccepted,
  type Submission,
  type SubmittedFile,
  submissionStatements,
  submittedFiles,
} from "./record-submission";

/**
 * The envelope of a valid link. While the requestor's account is disabled, the link is not found, because nobody would
 * read the files.
 * @throws AppError `submission_not_found` (also for a draft), `link_replaced`, `completed`, `expired`
 */
export async function requireOpenEnvelope(deps: Dependencies, token: string): Promise<RecipientEnvelope> {
  const { db, clock } = deps;
  const envelope = await requireSentEnvelope(deps, token);
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
export async function requireSentEnvelope(
  { db, takeTurn }: Pick<Dependencies, "db" | "takeTurn">,
  token: string,
): Promise<RecipientEnvelope> {
  const envelope = await findEnvelopeForRecipient(db, token, takeTurn);
  if (!envelope && (await findReplacedLink(db, await hashToken(token)))) throw appError("link_replaced");
  if (!envelope || isUnsent(envelope.status) || envelope.user.disabledAt !== null)
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

/**
 * Keeps answers until the recipient submits, all or nothing.
 * @throws AppError like `readSentAnswers`; `storage_full`; like `requireOpenEnvelope` if the link was closed meanwhile
 */
export async function keepSentAnswers(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  sent: SentAnswers,
  attempts = 3,
): Promise<void> {
  const { db, clock } = deps;
  const { submissionToken: token, documents } = envelope;
  const read = readSentAnswers(deps, envelope, sent);
  const given = new Map(
    [...read].flatMap(([id, answer]) => (answer === null ? [] : [[id, answer] as const])),
  );
  const cleared = [...read.keys()].filter((id) => !given.has(id));
  const stored = await sealAnswers(deps, documents, given);
  const replaced = envelope.answers.filter(
    ({ requestDocumentId: id, submittedAt }) => submittedAt === null && read.has(id),
  );
  try {
    await runBatch(db, [
      ...keepAnswers(db, envelope, { cleared, given: stored, now: clock.now().toISOString() }),
      ...requireSpace(deps, envelope, stored, replaced),
    ]);
  } catch (error) {
    const now = await requireOpenEnvelope(deps, token);
    if (contentOf(now) === contentOf(envelope) || attempts === 1) throw error;
    // The questions were changed meanwhile.
    await keepSentAnswers(deps, now, sent, attempts - 1);
  }
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

const NO_TEXTS: Submission["texts"] = { note: null, skipped: [], language: null };

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
    const values = await receiveParts(deps, envelope, upload, incoming);
    const sent = incoming.received.map(({ document }) => document);
    const sentIds = new Set(sent.map(({ id }) => id));
    const isReplaced = ({ envelopeDocumentId }: FinishedUpload) => sentIds.has(envelopeDocumentId);
    const answers = readSentAnswers(deps, envelope, values);
    const given = await givenAnswers(deps, envelope, answers);
    const planned = await planSubmission(deps, envelope, {
      ...{ given, texts: NO_TEXTS, asked: askedNow(envelope, { given, answers, skipped: [] }) },
      staged: finished.filter((upload) => !isReplaced(upload)),
      sent,
    });
    const files = await incoming.finish();
    requireClean(files);
    const isAsked = ({ about }: UploadedFile<SentFile>) => planned.asked.has(about.document);
    const submission = {
      ...planned,
      sent: files.filter(isAsked),
      replaced: [...planned.replaced, ...finished.filter(isReplaced)],
      dropped: files.filter((file) => !isAsked(file)).map(({ key }) => key),
    };
    const createdAt = submissionTime(deps, envelope);
    const how = { address: upload.address, createdAt, left: "finished" } as const;
    const statements = submissionStatements(deps, envelope, submission, how);
    await incoming.record(statements, () => explainRejection(deps, token, envelope));
    return { envelopeId: envelope.id, submittedAt: createdAt, files: submittedFiles(envelope, submission) };
  });
  await afterSubmission(deps, envelope);
  return submitted;
}

type SentBody = UploadBody & { contentLength: number | undefined; address: string };

/** What is submitted of files uploaded before and answers, and what else is asked. */
type Gathered = {
  given: ReadonlyMap<number, Answer>;
  asked: Submission["asked"];
  texts: Submission["texts"];
  staged: readonly FinishedUpload[];
  /** The documents of files in the request itself. */
  sent: readonly RequestedDocument[];
};

/** What is asked after what is given; a question that is cleared or skipped has no answer. */
function askedNow(
  envelope: RecipientEnvelope,
  {
    given,
    answers,
    skipped,
  }: { given: Gathered["given"]; answers: ReadAnswers; skipped: SubmitInput["skipped"] },
): Submission["asked"] {
  const cleared = [...answers].flatMap(([id, answer]) => (answer === null ? id : []));
  const withdrawn = [...cleared, ...skipped.map(({ documentId }) => documentId)];
  return askedDocuments(envelope, withEarlierAnswers(envelope, given, withdrawn));
}

/** The submission but for the files of the request. @throws AppError like `submitUploads` */
async function planSubmission(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  { given, asked, texts, staged, sent }: Gathered,
) {
  const askedIds = new Set([...asked].map(({ id }) => id));
  const isAsked = ({ envelopeDocumentId }: Pick<FinishedUpload, "envelopeDocumentId">) =>
    askedIds.has(envelopeDocumentId);
  const submitted = {
    asked,
    texts: { ...texts, skipped: texts.skipped.filter(({ documentId }) => askedIds.has(documentId)) },
    staged: staged.filter(isAsked),
    replaced: envelope.uploads.filter((upload) => !isAsked(upload)),
    answers: await sealAnswers(deps, [...asked].filter(isQuestion), given),
    days: new Map<number, string>(),
  };
  requireStillAccepted(envelope, submitted.staged);
  const answered = new Set([
    ...sent.flatMap((document) => (asked.has(document) ? [document.id] : [])),
    ...submitted.staged.map(documentOf),
    ...submitted.answers.map(({ documentId }) => documentId),
  ]);
  requireCompleteSubmission(envelope, { ...submitted, answered });
  await requireFewEarlier(deps, envelope, { files: submitted.staged.length + sent.length, given });
  for (const { id, asksValidUntil } of asked) {
    const day = given.get(id);
    if (asksValidUntil && day !== undefined && answered.has(id)) submitted.days.set(id, String(day));
  }
  return submitted;
}

/** An envelope can be returned and submitted again without an end. @throws AppError `storage_full` */
async function requireFewEarlier(
  { db }: Pick<Dependencies, "db">,
  { id, documents }: RecipientEnvelope,
  { files, given }: { files: number; given: Gathered["given"] },
): Promise<void> {
  if (!documents.some(({ review }) => review === "returned")) return;
  const earlier = await findSubmittedSize(db, id);
  const bytes = byteLength(JSON.stringify([...given.values()]));
  const { submittedFiles, submittedAnswers, submittedAnswerBytes } = SERVER_LIMITS;
  const isTooMuch =
    earlier.files + files > submittedFiles ||
    earlier.answers + given.size > submittedAnswers ||
    earlier.answerBytes + bytes > submittedAnswerBytes;
  if (isTooMuch) throw appError("storage_full");
}

/**
 * Receives a file or an answer for each part, which has the name of its document.
 * @returns the answers
 * @throws AppError naming the document
 */
async function receiveParts(
  { config, takeTurn }: Dependencies,
  envelope: RecipientEnvelope,
  upload: UploadBody,
  incoming: IncomingFiles<SentFile>,
): Promise<SentAnswers> {
  const findDocument = documentFinder(envelope.documents);
  const answers = new Map<RequestedDocument, string | string[]>();
  const maxParts = envelope.documents.reduce((sum, document) => sum + partsOf(document), 0) + 1;
  for await (const { name, fileName, bytes } of readMultipart(upload, { maxParts })) {
    // Five thousand may arrive at once.
    await takeTurn?.();
    const named = findDocument(name);
    // What a form sends for a file input without a file.
    if (fileName === "" && (await readText(bytes, 0)) !== null) continue;
    const document = requireOpenDocument(envelope, named);
    if (document.kind !== "file") {
      const params = { document: document.name };
      if (fileName !== undefined) throw appError("not_an_answer", { params });
      const before = [answers.get(document) ?? []].flat();
      const text = await readAnswerPart(document, bytes);
      if (before.length >= partsOf(document)) throw appError("duplicate_document", { params });
      answers.set(document, document.kind === "choices" ? [...before, text] : text);
      continue;
    }
    if (fileName === undefined) throw appError("not_a_file", { params: { document: document.name } });
    const known = { sentName: fileName, before: incoming.received, maxBytes: config.maxFileBytes };
    await incoming.receive(bytes, acceptFile(document, known));
  }
  // An empty part is no answer, also where several are possible.
  return [...answers].map(([{ id }, value]) => [
    String(id),
    Array.isArray(value) ? value.filter(isFilled) : value,
  ]);
}

/** How many parts a document can have. */
function partsOf({ kind, multiple, options }: RequestedDocument): number {
  if (kind === "choices") return options.length + 1;
  return multiple ? LIMITS.filesPerDocument : 1;
}

/** The text of an answer in a multipart body. @throws AppError `invalid_answer` for one that no question takes */
async function readAnswerPart(
  { id, name, options }: RequestedDocument,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  const { answerBytes, optionBytes } = SERVER_LIMITS;
  const text = await readText(bytes, options.length > 0 ? optionBytes : answerBytes);
  if (text === null)
    throw appError("invalid_answer", {
      params: { document: name },
      issues: [{ path: `answers.${id}`, message: MESSAGES.answerTooLong }],
    });
  return text;
}

/**
 * Submits the files that the recipient has uploaded before, and completes the envelope, all or nothing.
 * @throws AppError `uploads_unfinished` before anything else; `missing_documents`, `nothing_to_submit`,
 *   `unknown_document`, `document_has_file`; `completed` if another submission won, `envelope_changed`
 */
export async function submitUploads(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  { input, address }: { input: SubmitInput; address: string },
  attempts = 3,
): Promise<Submitted> {
  const { submissionToken: token } = envelope;
  const { answers: sent, ...texts } = input;
  const staged = await finishedUploads(deps, envelope);
  const answers = readSentAnswers(deps, envelope, sent);
  const given = await givenAnswers(deps, envelope, answers);
  const asked = askedNow(envelope, { given, answers, skipped: texts.skipped });
  const isAsked = ({ envelopeDocumentId }: { envelopeDocumentId: number }) =>
    [...asked].some(({ id }) => id === envelopeDocumentId);
  const questions = envelope.documents.filter(isQuestion);
  requireUploadsFinished({ uploads: envelope.uploads.filter(isAsked) });
  requireSkippable(
    envelope,
    {
      asked,
      answered: new Set([
        ...staged.map(documentOf),
        ...questions.flatMap(({ id }) => (given.has(id) ? id : [])),
      ]),
    },
    texts,
  );
  const planned = await planSubmission(deps, envelope, { given, asked, texts, staged, sent: [] });
  requireDays(planned, staged);
  const submission = { ...planned, sent: [], dropped: [] };
  const createdAt = submissionTime(deps, envelope);
  const how = { address, createdAt, left: "any" } as const;
  try {
    await runBatch(deps.db, submissionStatements(deps, envelope, submission, how));
  } catch (error) {
    const now = await requireOpenEnvelope(deps, token);
    if (contentOf(now) === contentOf(envelope) && keptOf(now) !== keptOf(envelope) && attempts > 1)
      return submitUploads(deps, now, { input, address }, attempts - 1);
    if (!hasQuestions(envelope)) requireUploadsFinished(now);
    await explainRejection(deps, token, envelope);
    if (isSubmissionRejected(error)) throw appError("envelope_changed");
    throw error;
  }
  await afterSubmission(deps, envelope);
  return { envelopeId: envelope.id, submittedAt: createdAt, files: submittedFiles(envelope, submission) };
}

/** Without a query for an envelope that has none. One that finishes meanwhile rejects the submission. */
const finishedUploads = async ({ db }: Dependencies, { uploads, submissionToken }: RecipientEnvelope) =>
  uploads.some(({ completedAt }) => completedAt !== null) ? listFinishedUploads(db, submissionToken) : [];

/** @throws AppError `uploads_unfinished` */
export function requireUploadsFinished({ uploads }: Pick<RecipientEnvelope, "uploads">): void {
  if (uploads.some(({ completedAt }) => completedAt === null)) throw appError("uploads_unfinished");
}

/** @throws AppError `unknown_document`, `document_has_file` */
function requireSkippable(
  envelope: RecipientEnvelope,
  { asked, answered }: { asked: ReadonlySet<RequestedDocument>; answered: ReadonlySet<number> },
  { skipped }: Submission["texts"],
): void {
  for (const { documentId } of skipped) {
    const document = envelope.documents.find(({ id }) => id === documentId);
    const params = { document: document?.name ?? String(documentId) };
    if (!document) throw appError("unknown_document", { params });
    if (!asked.has(document)) continue;
    if (answered.has(documentId) || !isOpenDocument(document, envelope))
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
async function afterSubmission(
  deps: Dependencies,
  { hasDestinations }: Pick<RecipientEnvelope, "hasDestinations">,
): Promise<void> {
  deliverSoon(deps, ["email"]);
  if (hasDestinations) deps.memory.filesQueued = true;
  await tryDeletePendingFiles(deps);
}

const isQuestion = ({ kind }: RequestedDocument) => kind !== "file";
const documentOf = ({ envelopeDocumentId }: FinishedUpload) => envelopeDocumentId;

/** @throws AppError `infected_file` */
function requireClean(files: readonly UploadedFile<SentFile>[]): void {
  const infected = files.find(({ verdict }) => verdict?.kind === "infected");
  if (infected) throw appError("infected_file", { params: { document: infected.about.document.name } });
}

/** @throws AppError like `requireOpenEnvelope`; `envelope_changed`, `storage_full` */
async function explainRejection(deps: Dependencies, token: string, seen: RecipientEnvelope): Promise<void> {
  const now = await requireOpenEnvelope(deps, token);
  if (contentOf(now) !== contentOf(seen) || keptOf(now) !== keptOf(seen)) throw appError("envelope_changed");
  await requireWithinQuotas(deps, token);
}

const keptOf = ({ answers }: RecipientEnvelope): string =>
  answers.flatMap(({ id, submittedAt }) => (submittedAt === null ? [id] : [])).join();

const contentOf = ({ documents, uploads }: RecipientEnvelope): string =>
  JSON.stringify([documents, uploads.flatMap(({ id, completedAt }) => (completedAt ? [id] : []))]);
