import { and, asc, eq, gt, inArray, not, type SQL } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import { envelopeEvents, envelopes, identities, notifications } from "../schema";
import { isEarlierRecipient, shownAddress } from "./envelope-events";
import { isMember, type Member } from "./members";
import { equals, listed, pick } from "./query-helpers";

/** The fields of a message for its owner: neither the token nor the relay's error text. */
const MESSAGE = {
  id: notifications.id,
  requestId: notifications.envelopeId,
  ...pick(notifications, "kind", "channel", "recipient", "status", "attempts", "failure", "createdAt"),
  sentAt: notifications.sentAt,
};

const eventOf = (member: Member) => ({
  id: envelopeEvents.id,
  requestId: envelopeEvents.envelopeId,
  ...pick(envelopeEvents, "kind", "actor"),
  address: shownAddress(member),
  ...pick(envelopeEvents, "detail", "at"),
});

const selectEvents = (db: Database, member: Member, which: SQL | undefined) =>
  db
    .select(eventOf(member))
    .from(envelopeEvents)
    .innerJoin(envelopes, eq(envelopes.id, envelopeEvents.envelopeId))
    .where(and(which, isMember(envelopes.workspaceId, member), not(isEarlierRecipient)));

const selectMessages = (db: Database, member: Member, which: SQL | undefined) =>
  db
    .select(MESSAGE)
    .from(notifications)
    .innerJoin(envelopes, eq(envelopes.id, notifications.envelopeId))
    .where(and(which, isMember(envelopes.workspaceId, member)));

/** The events and messages of these envelopes of the caller, at most `limit` of each. */
export async function listEnvelopeHistories(
  db: Database,
  member: Member,
  envelopeIds: number[],
  limit: number,
) {
  const idList = listed(envelopeIds);
  const [events, messages] = await db.batch([
    selectEvents(db, member, inArray(envelopeEvents.envelopeId, idList)).limit(limit),
    selectMessages(db, member, inArray(notifications.envelopeId, idList)).limit(limit),
  ]);
  return { events, messages };
}

/** Rows of one list by ascending id, with ids after this one, at most `limit`. */
type Portion = { after: number; limit: number };

export async function listEnvelopeEvents(db: Database, member: Member, envelopeId: number, portion: Portion) {
  const ofEnvelope = and(eq(envelopeEvents.envelopeId, envelopeId), gt(envelopeEvents.id, portion.after));
  return selectEvents(db, member, ofEnvelope).orderBy(asc(envelopeEvents.id)).limit(portion.limit);
}

export async function listMessages(db: Database, member: Member, envelopeId: number, portion: Portion) {
  const ofEnvelope = and(eq(notifications.envelopeId, envelopeId), gt(notifications.id, portion.after));
  return selectMessages(db, member, ofEnvelope).orderBy(asc(notifications.id)).limit(portion.limit);
}

export const listAccountMessages = (db: Database, userId: number, portion: Portion) =>
  db
    .select(MESSAGE)
    .from(notifications)
    .where(and(equals(notifications, { userId, envelopeId: null }), gt(notifications.id, portion.after)))
    .orderBy(asc(notifications.id))
    .limit(portion.limit);

export const listIdentities = (db: Database, userId: number) =>
  db
    .select({
      ...pick(identities, "provider", "subject", "createdAt"),
    })
    .from(identities)
    .where(eq(identities.userId, userId))
    .limit(LIMITS.pageMax);
