import type { FullEnvelope } from "../../../db/queries/envelopes";
import type { Member } from "../../../db/queries/members";
import { isWaiting, listNotifications, type Notification } from "../../../db/queries/notifications";
import { CHANNELS, UPDATES } from "../../contract/notifications";
import { isUnsent } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { MINUTE_MS } from "../../lib/durations";
import type { Message } from "../notifications/message-limits";
import { addressOn } from "../notifications/notification-kinds";
import { type queueForRecipient, recipientsOf } from "../notifications/outbox";

/** Further updates to a recipient within this time after one was sent are one notice. */
const COLLECTING_MS = 10 * MINUTE_MS;
/** Enough for this time: a recipient gets at most so many messages in an hour. */
const RECENT = 100;

export type Notices = {
  /** Notices of earlier changes that wait and that the new ones replace. */
  replaced: Notification[];
  /** The new notices that replace none. */
  added: Message[];
  /** Whether an address that may have the link is not the recipient's any more. */
  replacesLink: boolean;
  planOf: NonNullable<Parameters<typeof queueForRecipient>[3]>;
};

/** How the recipient is notified of a change. An update becomes an invitation if the address never got one. */
export async function planNotices(
  { db }: Dependencies,
  member: Member,
  stored: FullEnvelope,
  fields: Parameters<typeof recipientsOf>[0],
  now: Date,
): Promise<Notices> {
  const earlier = await listNotifications(db, member, stored.id, {
    kinds: UPDATES,
    limit: RECENT,
  });
  const replaced = earlier.filter(isWaiting);
  return {
    replaced,
    added: recipientsOf(fields).filter((to) => !replaced.some((notice) => isSame(notice, to))),
    replacesLink: !isUnsent(stored.status) && hasLostAddress(stored, fields, earlier),
    planOf: (to) => {
      const before = earlier.filter((notice) => isSame(notice, to));
      const delivered = before.filter((notice) => notice.status === "sent" || notice.claimedUntil !== null);
      const isKnown = to.recipient === addressOn(to.channel, stored);
      const wasInvited = delivered.length > 0 || (isKnown && before.length === 0);
      if (isUnsent(stored.status) || !wasInvited) return { kind: "invitation" };
      const last = delivered.findLast(({ kind }) => kind === "update");
      if (!last) return { kind: "update" };
      // In the future, if the clock was ahead then.
      const elapsed = Math.max(0, now.getTime() - Date.parse(last.sentAt ?? now.toISOString()));
      const waits = Math.max(0, COLLECTING_MS - elapsed);
      return { kind: "update", nextAttemptAt: new Date(now.getTime() + waits).toISOString() };
    },
  };
}

function hasLostAddress(
  stored: FullEnvelope,
  fields: Parameters<typeof recipientsOf>[0],
  earlier: readonly Notification[],
): boolean {
  const addressed = recipientsOf(stored);
  return CHANNELS.some((channel) => {
    const recipient = addressOn(channel, stored);
    if (!recipient || recipient === addressOn(channel, fields)) return false;
    // One that is not written to any more may have been before.
    return [...addressed, ...earlier].some((message) => isSame(message, { channel, recipient }));
  });
}

/** Whether both go to the same address on the same channel. */
export const isSame = (one: Message, other: Message): boolean =>
  one.channel === other.channel && one.recipient === other.recipient;
