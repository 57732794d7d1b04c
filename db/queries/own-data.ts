import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../client";
import { envelopeEvents, identities, notifications, requests } from "../schema";

/** What of a message is its sender's business: not its token, nor the words of a relay. */
const MESSAGE = {
  id: notifications.id,
  requestId: notifications.requestId,
  kind: notifications.kind,
  channel: notifications.channel,
  recipient: notifications.recipient,
  status: notifications.status,
  attempts: notifications.attempts,
  failure: notifications.failure,
  createdAt: notifications.createdAt,
  sentAt: notifications.sentAt,
};

/** What happened to these of the caller's envelopes, and what was sent for them. */
export async function listEnvelopeHistories(db: Database, userId: number, envelopeIds: number[]) {
  const given = sql`(select value from json_each(${JSON.stringify(envelopeIds)}))`;
  const [events, messages] = await db.batch([
    db
      .select({
        id: envelopeEvents.id,
        requestId: envelopeEvents.requestId,
        kind: envelopeEvents.kind,
        actor: envelopeEvents.actor,
        address: envelopeEvents.address,
        detail: envelopeEvents.detail,
        at: envelopeEvents.at,
      })
      .from(envelopeEvents)
      .innerJoin(requests, eq(requests.id, envelopeEvents.requestId))
      .where(and(inArray(envelopeEvents.requestId, given), eq(requests.userId, userId))),
    db
      .select(MESSAGE)
      .from(notifications)
      .where(and(inArray(notifications.requestId, given), eq(notifications.userId, userId))),
  ]);
  return { events, messages };
}

/** How the account is signed in to elsewhere, and the mails about the account itself that are still on record. */
export async function findAccountRecords(db: Database, userId: number) {
  const [providers, messages] = await db.batch([
    db
      .select({
        provider: identities.provider,
        subject: identities.subject,
        createdAt: identities.createdAt,
      })
      .from(identities)
      .where(eq(identities.userId, userId)),
    db
      .select(MESSAGE)
      .from(notifications)
      .where(and(eq(notifications.userId, userId), isNull(notifications.requestId))),
  ]);
  return { providers, messages };
}
