import type { Channel } from "../../../db/queries/notifications";
import type { Delivery } from "./deliver";

export type ChannelState = ReturnType<typeof createChannelState>;

/**
 * What a process knows of a channel: the messages it is sending, and whether the channel works. Does no I/O.
 * @param slotMs after this time a slot counts as free: a Worker that was stopped releases none
 */
export function createChannelState(channel: Channel, { slots, slotMs }: { slots: number; slotMs: number }) {
  /** When each running message was started. */
  const running = new Map<symbol, number>();
  let more = false;
  // Unknown at the start, which is treated like an outage.
  let down = true;
  return {
    channel,
    /** More messages may be due than there were free slots. */
    hasMore: () => more,
    expectMore() {
      more = true;
    },
    /** Whether the channel failed at the last attempt. */
    isDown: () => down,
    assumeUp() {
      down = false;
    },
    /** Takes all free slots. */
    takeSlots(now: number): symbol[] {
      for (const [slot, since] of running) if (now - since > slotMs) running.delete(slot);
      const taken = Array.from({ length: slots - running.size }, () => Symbol());
      for (const slot of taken) running.set(slot, now);
      more = taken.length === 0;
      return taken;
    },
    releaseSlots(released: readonly symbol[]) {
      for (const slot of released) running.delete(slot);
    },
    /** Records how an attempt ended. @returns whether it is the first that succeeded after an outage */
    recordDelivery(delivery: Delivery): boolean {
      if (delivery === "cancelled" || delivery === "postponed") return false;
      const recovered = down && delivery === "sent";
      down = delivery === "outage";
      return recovered;
    },
  };
}
