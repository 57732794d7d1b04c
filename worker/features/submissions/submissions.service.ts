import { runBatch, type Statement } from "../../../db/client";
import { insertEvents, insertOpening } from "../../../db/queries/envelope-events";
import {
  completeEnvelope,
  findEnvelopeForRecipient,
  insertSubmissions,
  pendingEnvelopeId,
  type RecipientEnvelope,
} from "../../../db/queries/submissions";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { isExpired } from "../../lib/expiration";
import { takeUpload, type UploadBody, type UploadedFile } from "../files/upload";
import { requireWithinQuotas, reserveForEnvelope } from "../files/upload-quotas";
import { requestorName } from "../notifications/mail-names";
import { deliverSoon, queueSubmissionNotices } from "../notifications/outbox";
import { acceptFile, documentFinder, type SentFile } from "./submission-files";

/**
 * The envelope of a valid link.
 * @throws AppError `submission_not_found` (also for a draft), `completed`, `expired`
 */
export async function requireOpenEnvelope(
  { db, clock }: Dependencies,
  token: string,
): Promise<RecipientEnvelope> {
  const envelope = await findEnvelopeForRecipient(db, token);
  if (!envelope || envelope.status === "draft") throw appError("submission_not_found");
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

/** Says when the link expired and whom to ask for a new one. */
function expiredError({ expirationDate, user }: RecipientEnvelope): AppError {
  return appError("expired", { params: { date: expirationDate ?? "", name: requestorName(user) } });
}

export type Submitted = { envelopeId: number; files: UploadedFile<SentFile>[] };

/**
 * Takes the recipient's files and completes the envelope: all of it, or nothing.
 * @throws AppError for what is wrong with the files, naming the document; `completed` where another submission won,
 * `envelope_changed` where it asks for something else by now
 */
export async function completeSubmission(
  deps: Dependencies,
  token: string,
  upload: UploadBody & { address: string },
): Promise<Submitted> {
  const envelope = await requireOpenEnvelope(deps, token);
  const documentFor = documentFinder(envelope.documents);
  const submitted = await takeUpload<SentFile, Submitted>(deps, upload, {
    maxParts: envelope.documents.length + 1,
    async reserve(leaseId) {
      const bytes = await reserveForEnvelope(deps, token, leaseId, upload.contentLength);
      if (bytes !== null) return bytes;
      await requireOpenEnvelope(deps, token);
      throw appError("envelope_changed");
    },
    refuseField: (name) => appError("not_a_file", { params: { document: documentFor(name).name } }),
    acceptFile: ({ name, fileName }, before) =>
      acceptFile(documentFor(name), { sentName: fileName, before, maxBytes: deps.config.maxFileBytes }),
    requireComplete: (sent) => requireAllDocuments(envelope, sent),
    async record(files, save) {
      requireClean(files);
      await save(submissionStatements(deps, envelope, { token, address: upload.address, files }));
      return { envelopeId: envelope.id, files: [...files] };
    },
    explainRefusal: () => explainRefusal(deps, token, envelope),
  });
  deliverSoon(deps);
  return submitted;
}

function requireAllDocuments(envelope: RecipientEnvelope, sent: readonly SentFile[]): void {
  const missing = envelope.documents
    .filter(({ id, required }) => required && !sent.some(({ document }) => document.id === id))
    .map(({ name }) => `“${name}”`);
  if (missing.length > 0) throw appError("missing_documents", { params: { document: missing.join(", ") } });
  if (sent.length === 0) throw appError("nothing_to_submit");
}

/** @throws AppError `infected_file` */
function requireClean(files: readonly UploadedFile<SentFile>[]): void {
  const infected = files.find(({ verdict }) => verdict?.kind === "infected");
  if (infected) throw appError("infected_file", { params: { document: infected.about.document.name } });
}

function submissionStatements(
  { db, clock, config }: Dependencies,
  envelope: RecipientEnvelope,
  { token, address, files }: { token: string; address: string; files: readonly UploadedFile<SentFile>[] },
): Statement[] {
  const now = clock.now();
  if (isExpired(envelope, now)) throw expiredError(envelope);
  const createdAt = now.toISOString();
  return [
    ...queueSubmissionNotices(db, envelope, { token, createdAt }),
    ...insertSubmissions(
      db,
      token,
      files.map(({ about, key, size, mimeType, verdict }) => ({
        requestDocumentId: about.document.id,
        documentName: about.document.name,
        filePath: key,
        fileName: about.fileName,
        fileSize: size,
        mimeType,
        createdAt,
        // Held back until the scanner has something to say of it.
        scanDueAt: verdict?.kind === "unknown" ? createdAt : null,
      })),
    ),
    insertEvents(db, pendingEnvelopeId(token), {
      userId: null,
      address,
      kinds: ["submitted"],
      at: createdAt,
    }),
    ...completeEnvelope(db, envelope, { completedAt: createdAt, quotas: config.quotas }),
  ];
}

/** @throws AppError as `requireOpenEnvelope`; `envelope_changed`, `storage_full` */
async function explainRefusal(
  deps: Dependencies,
  token: string,
  { documents }: RecipientEnvelope,
): Promise<void> {
  const now = await requireOpenEnvelope(deps, token);
  if (JSON.stringify(now.documents) !== JSON.stringify(documents)) throw appError("envelope_changed");
  await requireWithinQuotas(deps, token);
}
