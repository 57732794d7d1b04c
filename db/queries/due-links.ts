import { and, asc, eq, isNull, like, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { dueLinks, envelopes, notifications } from "../schema";
import { laterThan } from "./changes";
import { isMember, type Member } from "./members";
import type { MemberKey } from "./membership";

/** What a member has created or is assigned to, and is not completed. */
const linksOf = ({ workspaceId, userId }: MemberKey) =>
  and(
    eq(envelopes.workspaceId, workspaceId),
    ne(envelopes.status, "completed"),
    or(sql`${envelopes.userId} = ${userId}`, eq(envelopes.createdBy, userId)),
  );

/** How many recipients can submit by a link that the member was given. */
export const countOpenLinks = (db: Database, caller: Member, key: MemberKey, now: string): Promise<number> =>
  db.$count(
    envelopes,
    and(
      linksOf(key),
      eq(envelopes.status, "pending"),
      sql`ifnull(${envelopes.expiresAt}, ${now}) >= ${now}`,
      isMember(envelopes.workspaceId, caller),
    ),
  );

/**
 * The statement by which the links that a member was given are replaced soon, also those that do not work yet or any more.
 * Must precede the end of their part in the workspace.
 */
export const insertDueLinks = (
  db: Database,
  caller: Member & { address: string },
  key: MemberKey,
): Statement =>
  db
    .insert(dueLinks)
    .select(
      db
        .select({
          envelopeId: envelopes.id,
          requestedBy: sql`${caller.userId}`.as("requested_by"),
          address: sql`${caller.address}`.as("address"),
        })
        .from(envelopes)
        .where(and(linksOf(key), isMember(envelopes.workspaceId, caller))),
    )
    .onConflictDoNothing();

/** The links that are to be replaced. */
export const listDueLinks = (db: Database, limit: number) =>
  db
    .select({
      id: dueLinks.envelopeId,
      requestedBy: dueLinks.requestedBy,
      address: dueLinks.address,
      submissionToken: envelopes.submissionToken,
      status: envelopes.status,
      expiresAt: envelopes.expiresAt,
      userId: envelopes.userId,
      customerEmail: envelopes.customerEmail,
      recipientPhone: envelopes.recipientPhone,
      notificationPreference: envelopes.notificationPreference,
    })
    .from(dueLinks)
    .innerJoin(envelopes, eq(envelopes.id, dueLinks.envelopeId))
    .orderBy(asc(dueLinks.envelopeId))
    .limit(limit);

export type DueLink = Awaited<ReturnType<typeof listDueLinks>>[number];

/** The envelope's id while its link is due and as it was read, otherwise NULL, which fails the batch of an event. */
export const dueLinkId = ({ id, submissionToken, status }: DueLink): SQL<number> =>
  sql<number>`(select ${envelopes.id} from ${envelopes} join ${dueLinks} on ${dueLinks.envelopeId} = ${envelopes.id}
    where ${envelopes.id} = ${id} and ${envelopes.submissionToken} = ${submissionToken} and ${envelopes.status} = ${status})`;

export const deleteDueLink = (db: Database, { id }: DueLink): Statement =>
  db.delete(dueLinks).where(eq(dueLinks.envelopeId, id));

/** Deletes the messages with such a link that wait, whose keys begin like this: the next one replaces them. */
export const deleteWaitingLinks = (db: Database, { id }: DueLink, key: string): Statement =>
  db
    .delete(notifications)
    .where(
      and(
        eq(notifications.envelopeId, id),
        like(notifications.dedupeKey, `${key}%`),
        eq(notifications.status, "queued"),
        isNull(notifications.claimedUntil),
      ),
    );

export const setLink = (
  db: Database,
  { id, requestedBy }: DueLink,
  { submissionToken, now }: { submissionToken: string; now: string },
): Statement =>
  db
    .update(envelopes)
    .set({ submissionToken, updatedAt: laterThan(envelopes.updatedAt, now), updatedBy: requestedBy })
    .where(eq(envelopes.id, id));
