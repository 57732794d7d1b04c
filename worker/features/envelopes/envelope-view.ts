import type { DeliveryOfFile } from "../../../db/queries/deliveries-of-files";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { listEditedWorkspaces } from "../../../db/queries/members";
import { type Person as EnvelopePerson, listPeople } from "../../../db/queries/people";
import type { User } from "../../../db/queries/users";
import { awaitsReview } from "../../contract/awaits-review";
import type { DocumentState } from "../../contract/documents";
import type { Person } from "../../contract/envelopes";
import type { EnvelopeStatus } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import {
  askedDocuments,
  entryOf,
  isOpenDocument,
  submittedState,
  withEarlierAnswers,
} from "../envelope-rules/documents";
import { deletionTime, isExpired, isOverdue } from "../envelope-rules/envelope-dates";
import { unavailableReason } from "../files/scanning";
import { findUnsubscribed, type Unsubscribed } from "../notifications/unsubscribe.service";
import { sendingIn } from "./envelope-fields";

type Dated = { status: EnvelopeStatus; expiresAt: string | null };

/** The current status: the scheduled job that expires envelopes may not have run yet. */
function currentStatus(envelope: Dated, now: Date): EnvelopeStatus {
  return isExpired(envelope, now) ? "expired" : envelope.status;
}

export type Viewer = { now: Date; withLink: boolean };

/** An envelope as the account sees it; `user` is undefined for webhooks. */
export async function viewEnvelope(
  deps: Pick<Dependencies, "db" | "takeTurn">,
  user: User | undefined,
  row: FullEnvelope,
  viewer: Viewer,
): Promise<EnvelopeView> {
  const [view] = await viewEnvelopes(deps, user, [row], viewer);
  return withAnswers(view as EnvelopeView, row);
}

/** The same of several envelopes, with one query for what they have in common. */
export async function viewEnvelopes(
  deps: Pick<Dependencies, "db" | "takeTurn">,
  user: User | undefined,
  rows: readonly FullEnvelope[],
  viewer: Viewer,
): Promise<EnvelopeView[]> {
  const [people, isLinked, deliveries] = await Promise.all([
    findPeople(deps, rows, user),
    findLinked(deps, rows, user, viewer),
    findDeliveries(deps, rows),
  ]);
  const unsubscribed = await findStopped(deps, people, rows);
  const seen = { now: viewer.now, people, unsubscribed, deliveries, userId: user?.id };
  return rows.map((row) => viewOf(row, { ...seen, withLink: isLinked(row) }));
}

/** What became of the files elsewhere. Few workspaces have destinations. */
async function findDeliveries(
  { db, takeTurn }: Pick<Dependencies, "db" | "takeTurn">,
  rows: readonly FullEnvelope[],
): Promise<ReadonlyMap<number, DeliveryOfFile[]>> {
  if (!rows.some(({ hasDestinations }) => hasDestinations)) return new Map();
  const { deliveriesOfFiles } = await import("../../../db/queries/deliveries-of-files");
  return deliveriesOfFiles(db, rows, takeTurn);
}

/**
 * Tells of which envelopes the account gets the link: viewers, who are never assignees, get none, nor does who was removed
 * after the envelopes were read.
 */
async function findLinked(
  { db }: Pick<Dependencies, "db">,
  rows: readonly FullEnvelope[],
  user: User | undefined,
  { withLink }: Viewer,
): Promise<(row: FullEnvelope) => boolean> {
  if (!withLink || !user || rows.every(({ userId }) => userId === user.id)) return () => withLink;
  const edited = new Set(await listEditedWorkspaces(db, user.id));
  return ({ workspaceId }) => edited.has(workspaceId);
}

/** Whether the account has created the envelope and is its assignee. */
export const isOwnEnvelope = (row: WithPeople, { id }: Pick<User, "id">): boolean =>
  row.userId === id && creatorOf(row) === id;

/** By their ids; the responses share the objects. */
type People = ReadonlyMap<number, EnvelopePerson & { view: Person }>;
type WithPeople = Pick<FullEnvelope, "userId" | "createdBy">;

/** Who created the envelope: rows of versions before `createdBy` have only one account. */
const creatorOf = ({ userId, createdBy }: WithPeople) => createdBy ?? userId;

/** The assignees and creators of the envelopes. Only those other than the caller are looked up. */
export async function findPeople(
  { db }: Pick<Dependencies, "db">,
  rows: readonly WithPeople[],
  user?: User,
): Promise<People> {
  const people = new Map(user && [[user.id, withView({ ...user, isGone: false })]]);
  const ids = new Set(rows.flatMap((row) => [row.userId, creatorOf(row)]));
  const others = [...ids].filter((id) => !people.has(id));
  if (others.length > 0)
    for (const person of await listPeople(db, others)) people.set(person.id, withView(person));
  return people;
}

/** The assignee and the creator of an envelope, among these people. */
export const peopleOf = (row: WithPeople, people: People) => ({
  assignee: people.get(row.userId)?.view ?? NOBODY,
  createdBy: people.get(creatorOf(row))?.view ?? NOBODY,
});

const NOBODY: Person = { userId: null, firstName: null, lastName: null, email: null };

function withView(person: EnvelopePerson): EnvelopePerson & { view: Person } {
  const { id, firstName, lastName, email, isGone } = person;
  return { ...person, view: { userId: isGone ? null : id, firstName, lastName, email } };
}

/** Which recipients do not want mails from the assignee of their envelope. */
async function findStopped(
  deps: Pick<Dependencies, "db">,
  people: People,
  rows: readonly FullEnvelope[],
): Promise<ReadonlyMap<number, Unsubscribed>> {
  const stopped = new Map<number, Unsubscribed>();
  const senders = [...people.values()].filter(({ hasUnsubscribers }) => hasUnsubscribers);
  for (const sender of senders) {
    const addresses = rows.flatMap((row) => (row.userId === sender.id ? row.customerEmail : []));
    if (addresses.length > 0) stopped.set(sender.id, await findUnsubscribed(deps, sender, addresses));
  }
  return stopped;
}

type Seen = Viewer & {
  userId: number | undefined;
  people: People;
  unsubscribed: ReadonlyMap<number, Unsubscribed>;
  deliveries: ReadonlyMap<number, DeliveryOfFile[]>;
};

/**
 * The requestor's view. The recipient's link is included only on request: whoever has it can submit, so neither a program
 * that may only read nor a receiver of webhooks gets it.
 */
function viewOf(row: FullEnvelope, { now, withLink, userId, people, unsubscribed, deliveries }: Seen) {
  const {
    documents,
    submissions,
    answers,
    nextReminderAt: _due,
    endOfLastDay: _end,
    updatedBy: _updatedBy,
    bulkIndex: _bulkIndex,
    textBytes: _textBytes,
    watchers,
    retentionDays: _days,
    createdBy: _createdBy,
    submissionToken,
    status: _stored,
    isNew,
    endOfDueDay: _dueEnd,
    sendAt: _sendAt,
    sendClaimedUntil: _claimed,
    recipientSince: _recipientSince,
    deletionAnnouncedAt: _announcedAt,
    deletionNoticedAt: _noticedAt,
    uploadedDocuments: _uploaded,
    hasDestinations: _hasDestinations,
    ...envelope
  } = row;
  const counts: Partial<Record<DocumentState, number>> = {};
  let toReview = 0;
  const answered = new Set(answers.filter(isSubmitted).map(({ requestDocumentId }) => requestDocumentId));
  const documentViews = documents.map((document) => {
    const state = submittedState(document, row);
    counts[state] = (counts[state] ?? 0) + 1;
    if (awaitsReview({ ...document, state })) toReview += 1;
    return {
      id: document.id,
      ...entryOf(document),
      state,
      /** Whether the recipient submitted without it. */
      skipped: document.skipped,
      /** Why the recipient does not have it; otherwise why it is or was returned. */
      reason: document.skipped && state !== "returned" ? document.skipReason : document.reviewReason,
      answered: answered.has(document.id),
      validUntil: document.validUntil,
      renewal: document.renewal,
      renewalPaused: document.renewalPaused === true,
    };
  });
  const countIn = (counted: DocumentState) => counts[counted] ?? 0;
  const status = currentStatus(row, now);
  return Object.assign(envelope, {
    recipientEmail: row.customerEmail || null,
    documents: documentViews,
    /** How many submitted documents are not reviewed yet, accepted and returned. */
    review: {
      toReview,
      accepted: countIn("accepted"),
      returned: countIn("returned"),
    },
    submissions: submissions.map(({ filePath, scanDueAt, scanFailure, virus, deletedAt, ...file }) => {
      const withheld = unavailableReason({ scanDueAt, scanFailure, virus, deletedAt });
      return {
        ...file,
        deliveries: deliveries.get(file.id) ?? [],
        withheld,
        url: withheld ? null : `/uploads/${filePath}`,
      };
    }),
    ...peopleOf(row, people),
    watching: userId !== undefined && watchers.includes(userId),
    submissionToken: withLink ? submissionToken : null,
    status,
    /** In the assignee's present time zone. */
    sendAt: status === "scheduled" ? sendingIn(row, people.get(row.userId)?.timeZone ?? null).sendAt : null,
    overdue: isOverdue(row, now),
    isNew: isNew && status === "completed",
    /** Since when the recipient does not want mails from the assignee. */
    unsubscribedAt: unsubscribed.get(row.userId)?.get(row.customerEmail) ?? null,
    /** When the workspace's retention deletes the files; null if it never does. */
    filesDeletionAt: deletionTime(row, now),
    /** Of the documents that the recipient can still answer, how many have an uploaded file. */
    progress: status === "pending" ? progressOf(row) : null,
  });
}

/** Of the documents that are asked and open, how many have a finished upload or a kept answer. */
function progressOf(row: FullEnvelope): { uploaded: number; total: number } {
  const kept = new Map(
    row.answers.flatMap(({ requestDocumentId, submittedAt, value }) =>
      submittedAt === null && value !== null ? [[requestDocumentId, value]] : [],
    ),
  );
  const open = [...askedDocuments(row, withEarlierAnswers(row, kept))].filter((document) =>
    isOpenDocument(document, row),
  );
  const isBegun = ({ id, kind }: (typeof open)[number]) =>
    row.uploadedDocuments.includes(id) || (kind !== "file" && kept.has(id));
  return { uploaded: open.filter(isBegun).length, total: open.length };
}

export type EnvelopeView = ReturnType<typeof viewOf>;

type StoredAnswer = FullEnvelope["answers"][number];
const isSubmitted = ({ submittedAt }: StoredAnswer) => submittedAt !== null;

/** The envelope with the submitted answers, which lists do not have. A confidential one is revealed by a call of its own. */
function withAnswers(view: EnvelopeView, { answers }: FullEnvelope) {
  const shown = ({ value, sealed, createdAt }: StoredAnswer) => ({ value: sealed ? null : value, createdAt });
  return {
    ...view,
    documents: view.documents.map((document) => {
      if (document.kind === "file") return document;
      const own = answers.filter((row) => row.requestDocumentId === document.id && isSubmitted(row));
      const last = own.find(({ superseded, value }) => !superseded && value !== null);
      const earlier = own.filter(({ superseded, value }) => superseded && value !== null);
      return { ...document, answer: last ? shown(last) : null, earlier: earlier.map(shown) };
    }),
  };
}
