import { runBatch } from "../../../db/client";
import { insertEvents, insertOpening } from "../../../db/queries/envelope-events";
import {
  completeEnvelope,
  findEnvelopeForRecipient,
  insertSubmissions,
  isDocumentGone,
  isNoLongerPending,
  pendingEnvelopeId,
  type RecipientEnvelope,
} from "../../../db/queries/submissions";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { isExpired } from "../../lib/expiration";
import { readMultipart } from "../../lib/multipart";
import { discardFiles } from "../files/incoming-file";
import { requestorName } from "../notifications/mail-names";
import { deliverSoon, queueSubmissionNotices } from "../notifications/outbox";
import { type ReceivedFile, submissionHandler } from "./submission-files";
import { scanReceived } from "./submission-scan";

/**
 * The envelope behind a link that still works.
 * @throws AppError `submission_not_found` (a draft's link included), `completed`, `expired`
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
 * Notes that a person other than its requestor has the envelope before them; told once, however often it is opened.
 * @throws AppError as `requireOpenEnvelope`
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

/** Says when it ended and whom to ask for a new link. */
function expiredError({ expirationDate, user }: RecipientEnvelope): AppError {
  return appError("expired", { params: { date: expirationDate ?? "", name: requestorName(user) } });
}

/**
 * Takes the recipient's files and completes the envelope: all of it, or nothing.
 * @throws AppError for what is wrong with the files, naming the document; `completed` where another submission won
 */
export async function completeSubmission(
  deps: Dependencies,
  token: string,
  upload: { body: ReadableStream<Uint8Array> | null; contentType: string | undefined; address: string },
): Promise<{ envelopeId: number; documents: ReceivedFile[] }> {
  const envelope = await requireOpenEnvelope(deps, token);
  const received: ReceivedFile[] = [];
  try {
    const handler = submissionHandler(deps, envelope.documents, received);
    await readMultipart(upload, handler, { maxParts: envelope.documents.length + 1 });
    requireAllDocuments(envelope, received);
    await Promise.all(received.map(({ file }) => file.commit()));
    const held = await scanReceived(deps, received);
    await recordSubmission(deps, { token, address: upload.address }, envelope, { received, held });
  } catch (error) {
    await discardFiles(
      deps,
      received.map(({ file }) => file),
    );
    throw error;
  }
  await deps.files.settle?.(received.map(({ file }) => file.key));
  deliverSoon(deps);
  return { envelopeId: envelope.id, documents: received };
}

function requireAllDocuments(envelope: RecipientEnvelope, received: ReceivedFile[]): void {
  const missing = envelope.documents
    .filter(({ id, required }) => required && !received.some(({ document }) => document.id === id))
    .map(({ name }) => `“${name}”`);
  if (missing.length > 0) throw appError("missing_documents", { params: { document: missing.join(", ") } });
}

async function recordSubmission(
  { db, clock }: Dependencies,
  { token, address }: { token: string; address: string },
  envelope: RecipientEnvelope,
  { received, held }: { received: ReceivedFile[]; held: ReadonlySet<ReceivedFile> },
): Promise<void> {
  const now = clock.now();
  if (isExpired(envelope, now)) throw expiredError(envelope);
  const createdAt = now.toISOString();
  await runBatch(db, [
    ...queueSubmissionNotices(db, envelope, { token, createdAt }),
    ...insertSubmissions(
      db,
      token,
      received.map((arrived) => ({
        requestDocumentId: arrived.document.id,
        documentName: arrived.document.name,
        filePath: arrived.file.key,
        fileName: arrived.fileName,
        fileSize: arrived.file.size,
        mimeType: arrived.file.mimeType,
        createdAt,
        scanDueAt: held.has(arrived) ? createdAt : null,
      })),
    ),
    insertEvents(db, pendingEnvelopeId(token), {
      userId: null,
      address,
      kinds: ["submitted"],
      at: createdAt,
    }),
    ...completeEnvelope(db, envelope.id, createdAt),
  ]).catch((error: unknown) => {
    if (isNoLongerPending(error)) throw appError("completed");
    if (isDocumentGone(error)) throw appError("envelope_changed");
    throw error;
  });
}
