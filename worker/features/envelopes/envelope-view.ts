import type { FullEnvelope } from "../../../db/queries/envelopes";
import { listEditedWorkspaces } from "../../../db/queries/members";
import { type Person as EnvelopePerson, listPeople } from "../../../db/queries/membership";
import type { User } from "../../../db/queries/users";
import { awaitsReview } from "../../contract/awaits-review";
import type { DocumentState } from "../../contract/documents";
import type { Person } from "../../contract/envelopes";
import type { EnvelopeStatus } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import type { EnvelopeSource } from "../../process-memory";
import { entryOf, submittedState } from "../envelope-rules/documents";
import { deletionTime, isExpired, isOverdue } from "../envelope-rules/envelope-dates";
import { unavailableReason } from "../files/scanning";
import { findUnsubscribed, type Unsubscribed } from "../notifications/unsubscribe.service";

type Dated = { status: EnvelopeStatus; expiresAt: string | null };

/** The current status: the scheduled job that expires envelopes may not have run yet. */
function currentStatus(envelope: Dated, now: Date): EnvelopeStatus {
  return isExpired(envelope, now) ? "expired" : envelope.status;
}

export type Viewer = { now: Date; withLink: boolean };

/** An envelope as the account sees it; `user` is undefined for webhooks. */
export async function viewEnvelope(
  deps: Pick<Dependencies, "db">,
  user: User | undefined,
  row: FullEnvelope,
  viewer: Viewer,
): Promise<EnvelopeView> {
  const { content, source } = contentOf(row);
  const { retentionDays, watchers } = row;
  const watching = user !== undefined && watchers.includes(user.id);
  const currentPart = await currentPartsOf(deps, user, [source], viewer);
  return Object.assign(content, currentPart(source, { retentionDays, watching }));
}

/**
 * Reads what these envelopes have in common. @returns the part of an envelope's view that depends on the caller, the time
 * or other rows
 */
export async function currentPartsOf(
  deps: Pick<Dependencies, "db">,
  user: User | undefined,
  rows: readonly EnvelopeSource[],
  viewer: Viewer,
): Promise<(source: EnvelopeSource, beside: Beside) => CurrentPart> {
  const [people, isLinked] = await Promise.all([
    findPeople(deps, rows, user),
    findLinked(deps, rows, user, viewer),
  ]);
  const unsubscribed = await findStopped(deps, people, rows);
  const { now } = viewer;
  return (source, beside) =>
    currentPart(source, { now, withLink: isLinked(source), people, unsubscribed, ...beside });
}

/**
 * Tells of which envelopes the account gets the link: viewers, who are never assignees, get none, nor does who was removed
 * after the envelopes were read.
 */
async function findLinked(
  { db }: Pick<Dependencies, "db">,
  rows: readonly EnvelopeSource[],
  user: User | undefined,
  { withLink }: Viewer,
): Promise<(row: EnvelopeSource) => boolean> {
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
  rows: readonly EnvelopeSource[],
): Promise<ReadonlyMap<number, Unsubscribed>> {
  const stopped = new Map<number, Unsubscribed>();
  const senders = [...people.values()].filter(({ hasUnsubscribers }) => hasUnsubscribers);
  for (const sender of senders) {
    const addresses = rows.flatMap((row) => (row.userId === sender.id ? row.customerEmail : []));
    if (addresses.length > 0) stopped.set(sender.id, await findUnsubscribed(deps, sender, addresses));
  }
  return stopped;
}

/**
 * The part of the requestor's view that depends on nothing but the envelope, so that lists can remember it, and what the
 * other part depends on.
 */
export function contentOf(row: FullEnvelope) {
  const {
    documents,
    submissions,
    nextReminderAt: _due,
    endOfLastDay: _end,
    updatedBy: _updatedBy,
    bulkIndex: _bulkIndex,
    version: _version,
    watchers: _watchers,
    retentionDays: _days,
    createdBy,
    submissionToken,
    status,
    isNew,
    endOfDueDay,
    deletionAnnouncedAt,
    deletionNoticedAt,
    uploadedDocuments,
    ...envelope
  } = row;
  const counts: Partial<Record<DocumentState, number>> = {};
  let toReview = 0;
  const documentViews = documents.map((document) => {
    const state = submittedState(document, submissions);
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
    };
  });
  const countIn = (counted: DocumentState) => counts[counted] ?? 0;
  const content = Object.assign(envelope, {
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
      return { ...file, withheld, url: withheld ? null : `/uploads/${filePath}` };
    }),
  });
  const { userId, workspaceId, customerEmail, expiresAt, completedAt, filesDeletedAt } = row;
  const source: EnvelopeSource = {
    ...{
      userId,
      createdBy,
      workspaceId,
      customerEmail,
      submissionToken,
      status,
      isNew,
      expiresAt,
      endOfDueDay,
    },
    ...{ completedAt, filesDeletedAt, deletionAnnouncedAt, deletionNoticedAt },
    uploaded: uploadedDocuments ?? 0,
    toUpload: countIn("open") + countIn("skipped") + countIn("returned"),
  };
  return { content, source };
}

/** What is stored beside the envelope, and is not part of its version. */
export type Beside = { retentionDays: number | null; watching: boolean };

/**
 * The other part. The recipient's link is included only on request: whoever has it can submit, so neither a program that
 * may only read nor a receiver of webhooks gets it.
 */
function currentPart(
  source: EnvelopeSource,
  {
    now,
    withLink,
    people,
    unsubscribed,
    retentionDays,
    watching,
  }: Viewer & Beside & { people: People; unsubscribed: ReadonlyMap<number, Unsubscribed> },
) {
  const status = currentStatus(source, now);
  return {
    ...peopleOf(source, people),
    watching,
    submissionToken: withLink ? source.submissionToken : null,
    status,
    overdue: isOverdue(source, now),
    isNew: source.isNew && status === "completed",
    /** Since when the recipient does not want mails from the assignee. */
    unsubscribedAt: unsubscribed.get(source.userId)?.get(source.customerEmail) ?? null,
    /** When the workspace's retention deletes the files; null if it never does. */
    filesDeletionAt: deletionTime({ ...source, retentionDays }, now),
    /** Of the documents that the recipient can still answer, how many have an uploaded file. */
    progress: status === "pending" ? { uploaded: source.uploaded, total: source.toUpload } : null,
  };
}

type CurrentPart = ReturnType<typeof currentPart>;
export type EnvelopeView = ReturnType<typeof contentOf>["content"] & CurrentPart;
