import { runBatchAndRead, type Statement } from "../../../db/client";
import { isReferenceGone } from "../../../db/errors";
import { deleteUnsubmittedUploads, reviewEnvelopeDocument } from "../../../db/queries/envelope-documents";
import { insertEvents } from "../../../db/queries/envelope-events";
import {
  type EnvelopeChanges,
  type FullEnvelope,
  isEnvelopeChanged,
  isEnvelopeMissing,
  ownEnvelopeId,
  selectEnvelope,
  updateEnvelope,
} from "../../../db/queries/envelopes";
import { queueAccepted } from "../../../db/queries/file-deliveries";
import { NO_DELETION_NOTICE } from "../../../db/queries/retention";
import { awaitsReview } from "../../contract/awaits-review";
import type { DocumentReview } from "../../contract/documents";
import { dueIssues } from "../../contract/envelopes";
import type { ReviewInput } from "../../contract/review";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, validationError } from "../../errors";
import { submittedState } from "../envelope-rules/documents";
import { isExpired } from "../envelope-rules/envelope-dates";
import { deletePendingFiles } from "../files/file-deletions";
import { linkToReopen } from "../links/new-link";
import { deliverSoon, queueForRecipient, recipientsOf } from "../notifications/outbox";
import { datesIn, endIssues, reminderAfter } from "./envelope-fields";
import { requireEnvelope, written } from "./envelopes.service";
import { requireRequestor } from "./requestor";
import { countMessages, type Sender } from "./sending-limits";

type Document = FullEnvelope["documents"][number];
type Decision = { document: Document; review: DocumentReview | null; reason?: string | null };

/**
 * Accepts submitted documents, returns them with a reason, or undoes either. A return opens the link again, another one if
 * somebody may know it who has left the workspace, and notifies the recipient, once for the whole review; after the last return is undone, the envelope is completed again.
 * @throws AppError `envelope_not_found`, `not_completed`, `unknown_document`, `document_not_received`,
 *   `nothing_to_undo`, `expired_needs_date`, `envelope_changed`, and those of `countMessages`
 */
export async function reviewEnvelope(
  deps: Dependencies,
  sender: Sender,
  id: number,
  input: ReviewInput,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const { userId, address } = sender;
  const envelope = await requireEnvelope(deps, sender, id);
  const requestor = await requireRequestor(deps, sender, envelope);
  const decisions = requireDecisions(envelope, input);
  const now = clock.now();
  const at = now.toISOString();
  const returns = decisions.filter(({ review }) => review === "returned");
  const event = { userId, address, at };
  const changes = statusAfter(envelope, decisions, input, { now, timeZone: requestor.timeZone });
  // A return is undone, or what is missing is accepted as it is: uploads that the recipient has begun for it are discarded.
  const closed = decisions.flatMap(({ document, review }) =>
    review === "accepted" || (review === null && document.review === "returned") ? [document.id] : [],
  );
  if (returns.length > 0)
    await countMessages(deps, { ...sender, requestor }, recipientsOf(envelope), "changed");
  const reopened = returns.length > 0 ? await linkToReopen(db, envelope, { now }) : undefined;
  const link = reopened?.link;
  const statements = [
    ...decisions.flatMap(({ document, review, reason }): Statement[] => [
      insertEvents(db, ownEnvelopeId(sender, id), {
        ...event,
        kinds: [review ?? "undone"],
        detail: reason ? `${document.name}: ${reason}` : document.name,
      }),
      reviewEnvelopeDocument(db, sender, id, document.id, { review, reviewReason: reason }),
    ]),
    ...(closed.length > 0
      ? deleteUnsubmittedUploads(db, sender, id, {
          ids: changes.status === "completed" ? undefined : closed,
          now: at,
        })
      : []),
    ...(returns.length > 0 ? queueForRecipient(db, envelope, { kind: "returned", createdAt: at }) : []),
    ...(link
      ? [
          insertEvents(db, ownEnvelopeId(sender, id), { ...event, kinds: ["link_replaced"] }),
          ...link.recorded,
        ]
      : []),
    ...(envelope.hasDestinations
      ? queueAccepted(db, id, {
          accepted: idsOf(decisions, ({ review }) => review === "accepted"),
          undone: idsOf(decisions, ({ review }) => review !== "accepted"),
          now: at,
        })
      : []),
    updateEnvelope(
      db,
      sender,
      { ...envelope, condition: reopened?.condition },
      {
        ...changes,
        ...(link && { submissionToken: link.submissionToken }),
        workspaceId: envelope.workspaceId,
        contactId: envelope.contactId,
        templateId: envelope.templateId,
        updatedAt: at,
      },
    ),
  ];
  const reviewed = await runBatchAndRead(db, statements, selectEnvelope(db, sender, id))
    .catch(rejectedAs(isEnvelopeMissing, "envelope_not_found"))
    .catch(rejectedAs(isEnvelopeChanged, "envelope_changed"))
    // The assignee's account was deleted meanwhile.
    .catch(rejectedAs(isReferenceGone, "envelope_changed"));
  if (returns.length > 0) deliverSoon(deps);
  if (envelope.hasDestinations) deps.memory.filesQueued = true;
  if (closed.length > 0) deps.background.run("discarded uploads", () => deletePendingFiles(deps));
  return written(deps, reviewed);
}

const idsOf = (decisions: readonly Decision[], matches: (decision: Decision) => boolean) =>
  decisions.filter(matches).map(({ document }) => document.id);

/** The decision for each document in the input, after checking that each is possible. */
function requireDecisions(envelope: FullEnvelope, input: ReviewInput): Decision[] {
  if (envelope.completedAt === null) throw appError("not_completed");
  const find = (id: number): Document => {
    const document = envelope.documents.find((one) => one.id === id);
    if (!document) throw appError("unknown_document", { params: { document: String(id) } });
    return document;
  };
  return [
    ...input.accept.flatMap((id): Decision | [] => {
      const document = find(id);
      const state = submittedState(document, envelope);
      if (state === "accepted") return [];
      if (!awaitsReview({ ...document, state }))
        throw appError("document_not_received", { params: { document: document.name } });
      return { document, review: "accepted" };
    }),
    ...input.return.map(({ documentId, reason }): Decision => {
      const document = find(documentId);
      const state = submittedState(document, envelope);
      // A file that is missing can be asked for again, but not what is awaited again already.
      if (state === "returned" || state === "hidden" || (state === "open" && document.kind !== "file"))
        throw appError("document_not_received", { params: { document: document.name } });
      return { document, review: "returned", reason };
    }),
    ...input.undo.map((id): Decision => {
      const document = find(id);
      const undoable =
        document.review === "accepted" || (document.review === "returned" && envelope.status === "pending");
      if (!undoable) throw appError("nothing_to_undo", { params: { document: document.name } });
      return { document, review: null, ...(document.review === "returned" && { reason: null }) };
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
  // Only accepted, or an acceptance undone: what the recipient is asked for stays.
  const asksTheSame = decisions.every(
    ({ document, review }) => document.review !== "returned" && review !== "returned",
  );
  if (envelope.status !== "completed" && asksTheSame) return {};
  if (!envelope.documents.some(isReturned))
    return {
      status: "completed",
      nextReminderAt: null,
      // While the link was open, no notice listed the files; they are announced again.
      ...(envelope.status !== "completed" && NO_DELETION_NOTICE),
    };
  const end = expirationDate === null ? null : datesIn({ ...envelope, expirationDate }, timeZone);
  const issues = end ? [...endIssues(end, now), ...endBeforeDueDate(end)] : [];
  if (issues.length > 0) throw validationError(issues);
  if (!end && isExpired({ status: "pending", expiresAt: envelope.expiresAt }, now))
    throw appError("expired_needs_date");
  const sentAt = envelope.sentAt ?? now.toISOString();
  return {
    status: "pending",
    // Without a new date, the link keeps its end, even if the account's time zone has changed since.
    ...end,
    nextReminderAt: reminderAfter({ ...envelope, sentAt }, { now, timeZone }),
  };
}

/** The issue stands at the date that the review has. */
const endBeforeDueDate = (dates: ReturnType<typeof datesIn>) =>
  dueIssues({ ...dates, reminderDays: null }).map((issue) => ({ ...issue, path: "expirationDate" }));
