import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../client";
import { envelopeEvents, envelopes, identities, notifications } from "../schema";

/** The fields of a message for its owner: neither the token nor the relay's error text. */
const MESSAGE = {
  id: notifications.id,
  requestId: notifications.envelopeId,
  kind: notifications.kind,
  channel: notifications.channel,
  recipient: notifications.recipient,
  status: notifications.status,
  attempts: notifications.attempts,
  failure: notifications.failure,
  createdAt: notifications.createdAt,
  sentAt: notifications.sentAt,
};

/** The events and messages of these envelopes of the caller. */
export async function listEnvelopeHistories(db: Database, userId: number, envelopeIds: number[]) {
  const given = sql`(select value from json_each(${JSON.stringify(envelopeIds)}))`;
  const [events, messages] = await db.batch([
    db
      .select({
        id: envelopeEvents.id,
        requestId: envelopeEvents.envelopeId,
        kind: envelopeEvents.kind,
        actor: envelopeEvents.actor,
        address: envelopeEvents.address,
        detail: envelopeEvents.detail,
        at: envelopeEvents.at,
      })
      .from(envelopeEvents)
      .innerJoin(envelopes, eq(envelopes.id, envelopeEvents.envelopeId))
      .where(and(inArray(envelopeEvents.envelopeId, given), eq(envelopes.userId, userId))),
    db
      .select(MESSAGE)
      .from(notifications)
      .where(and(inArray(notifications.envelopeId, given), eq(notifications.userId, userId))),
  ]);
  return { events, messages };
}

/** The linked sign-in providers, and the stored mails about the account itself. */
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
      .where(and(eq(notifications.userId, userId), isNull(notifications.envelopeId))),
  ]);
  return { providers, messages };
}
