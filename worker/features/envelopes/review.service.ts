import { runBatch, type Statement } from "../../../db/client";
import { deleteUnsubmittedUploads, reviewEnvelopeDocument } from "../../../db/queries/envelope-documents";
import { type Caller, insertEvents } from "../../../db/queries/envelope-events";
import {
  type EnvelopeChanges,
  type FullEnvelope,
  isEnvelopeChanged,
  isEnvelopeMissing,
  ownEnvelopeId,
  updateEnvelope,
} from "../../../db/queries/envelopes";
import type { User } from "../../../db/queries/users";
import type { ReviewInput } from "../../contract/review";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { submittedState } from "../../lib/document-state";
import { isExpired } from "../../lib/expiration";
import { deletePendingFiles } from "../files/file-deletions";
import { deliverSoon, queueForRecipient } from "../notifications/outbox";
import { endIssues, lastDay, reminderAfter } from "./envelope-fields";
import { requireEnvelope } from "./envelopes.service";
import { addressesOf, countMessages } from "./sending-limits";

type Document = FullEnvelope["documents"][number];
type Decision = { document: Document; review: "accepted" | "returned" | null; reason?: string };

/**
 * Accepts submitted documents, returns them with a reason, or undoes either. A return opens the link again and notifies
 * the recipient, once for the whole review; after the last return is undone, the envelope is completed again.
 * @throws AppError `envelope_not_found`, `not_completed`, `unknown_document`, `document_not_received`,
 *   `nothing_to_undo`, `expired_needs_date`, `envelope_changed`, `too_many_messages`
 */
export async function reviewEnvelope(
  deps: Dependencies,
  { userId, address, user }: Caller & { user: Pick<User, "timeZone"> },
  id: number,
  input: ReviewInput,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, userId, id);
  const decisions = requireDecisions(envelope, input);
  const now = clock.now();
  const at = now.toISOString();
  const returns = decisions.filter(({ review }) => review === "returned");
  const event = { userId, address, at };
  const changes = statusAfter(envelope, decisions, input, { now, timeZone: user.timeZone });
  // The return is undone, so uploads that the recipient has begun for it are discarded.
  const undone = decisions.flatMap(({ document, review }) =>
    document.review === "returned" && review === null ? [document.id] : [],
  );
  if (returns.length > 0) await countMessages(deps, userId, addressesOf(envelope));
  await runBatch(db, [
    ...decisions.flatMap(({ document, review, reason }): Statement[] => [
      insertEvents(db, ownEnvelopeId(userId, id), {
        ...event,
        kinds: [review ?? "undone"],
        detail: reason ? `${document.name}: ${reason}` : document.name,
      }),
      reviewEnvelopeDocument(db, userId, id, document.id, { review, reviewReason: reason }),
    ]),
    ...(undone.length > 0
      ? deleteUnsubmittedUploads(db, userId, id, {
          ids: changes.status === "completed" ? undefined : undone,
          now: at,
        })
      : []),
    ...(returns.length > 0 ? queueForRecipient(db, envelope, { kind: "returned", createdAt: at }) : []),
    updateEnvelope(db, userId, envelope, {
      ...changes,
      workspaceId: envelope.workspaceId,
      contactId: envelope.contactId,
      templateId: envelope.templateId,
      updatedAt: at,
    }),
  ]).catch((error: unknown) => {
    if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
    throw isEnvelopeChanged(error) ? appError("envelope_changed") : error;
  });
  if (returns.length > 0) deliverSoon(deps);
  if (undone.length > 0) deps.background.run("discarded uploads", () => deletePendingFiles(deps));
  return requireEnvelope(deps, userId, id);
}

/** The decision for each document in the input, after checking that each is possible. */
function requireDecisions(envelope: FullEnvelope, input: ReviewInput): Decision[] {
  const completed = envelope.status === "completed";
  if (!completed && (input.accept.length > 0 || input.return.length > 0)) throw appError("not_completed");
  const find = (id: number): Document => {
    const document = envelope.documents.find((one) => one.id === id);
    if (!document) throw appError("unknown_document", { params: { document: String(id) } });
    return document;
  };
  return [
    ...input.accept.map((id): Decision => {
      const document = find(id);
      const state = submittedState(document, envelope.submissions);
      if (state !== "received" && state !== "accepted")
        throw appError("document_not_received", { params: { document: document.name } });
      return { document, review: "accepted" };
    }),
    ...input.return.map(
      ({ documentId, reason }): Decision => ({ document: find(documentId), review: "returned", reason }),
    ),
    ...input.undo.map((id): Decision => {
      const document = find(id);
      const undone = completed ? "accepted" : "returned";
      if (document.review !== undone)
        throw appError(completed || envelope.status === "pending" ? "nothing_to_undo" : "not_completed", {
          params: { document: document.name },
        });
      return { document, review: null };
    }),
  ];
}

/**
 * Open again while any document is returned, otherwise completed; `completedAt` stays the time of the last submission.
 */
function statusAfter(
  envelope: FullEnvelope,
  decisions: Decision[],
  { expirationDate }: ReviewInput,
  { now, timeZone }: { now: Date; timeZone: string | null },
): EnvelopeChanges {
  const decided = new Map(decisions.map(({ document, review }) => [document.id, review]));
  const isReturned = ({ id, review }: Document) =>
    (decided.has(id) ? decided.get(id) : review) === "returned";
  if (!envelope.documents.some(isReturned))
    return {
      status: "completed",
      nextReminderAt: null,
      // While the link was open, no notice listed the files; they are announced again.
      ...(envelope.status !== "completed" && { deletionNoticedAt: null }),
    };
  const end = expirationDate === null ? null : lastDay(expirationDate, timeZone);
  const issues = end ? endIssues(end, now) : [];
  if (issues.length > 0) throw validationError(issues);
  if (!end && isExpired({ status: "pending", expiresAt: envelope.expiresAt }, now))
    throw appError("expired_needs_date");
  const sentAt = envelope.sentAt ?? now.toISOString();
  return {
    status: "pending",
    // Without a new date, the link keeps its end, even if the account's time zone has changed since.
    ...end,
    nextReminderAt: reminderAfter(sentAt, envelope.reminderFrequency, { now, timeZone }),
  };
}
