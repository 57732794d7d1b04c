import {
  type Channel,
  claimNotifications,
  type Notification,
  releaseNotifications,
} from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { type ChannelState, createChannelState } from "./channel-state";
import { type Delivery, deliver, SEND_TIMEOUT_MS } from "./deliver";

/** Time for sending and for recording it in a busy database. Afterwards another process may take over the claim. */
const CLAIM_MS = SEND_TIMEOUT_MS + 35_000;
/** A run claims nothing more after this time; the next run continues. */
const RUN_MS = 45_000;

/** Concurrent messages per channel. Mail and SMS do not wait for each other. */
const SLOTS: Record<Channel, number> = { email: 8, sms: 4 };
const CHANNELS = ["email", "sms"] as const;

/** Keyed by database: each request has its own dependencies object. */
const statesByDatabase = new WeakMap<Dependencies["db"], ChannelState[]>();

/**
 * Sends what is due. Several processes may run this at once, because each row is claimed first. All runs in one
 * process share the slots, so that a gateway is never overloaded.
 */
export async function sendDue(deps: Dependencies): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  await Promise.all(channelStates(deps).map((state) => drain(deps, state, endsAt)));
}

/**
 * Sends what is due. If a channel is down, tries one waiting message first and sends all of them once it works again.
 */
export async function drainOutbox(deps: Dependencies): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  await Promise.all(
    channelStates(deps).map(async (state) => {
      await drain(deps, state, endsAt);
      if (state.isDown()) await probe(deps, state);
      if (state.hasMore()) await drain(deps, state, endsAt);
    }),
  );
}

async function drain(deps: Dependencies, state: ChannelState, endsAt: number): Promise<void> {
  const slots = state.takeSlots(Date.now());
  if (slots.length === 0) return;
  const by = crypto.randomUUID();
  let claimed: Notification[] = [];
  try {
    claimed = await claim(deps, state, { by, limit: slots.length, waiting: false });
    if (claimed.length === slots.length) state.expectMore();
  } finally {
    state.releaseSlots(slots.slice(claimed.length));
  }
  await Promise.all(
    claimed.map(async (notification, index) => {
      await send(deps, state, notification, { by, counts: true });
      state.releaseSlots(slots.slice(index, index + 1));
      if (state.hasMore() && Date.now() < endsAt) await drain(deps, state, endsAt);
    }),
  );
}

/** Sends the next waiting message as a probe, so that delivery resumes soon after an outage. */
async function probe(deps: Dependencies, state: ChannelState): Promise<void> {
  const by = crypto.randomUUID();
  const [waiting] = await claim(deps, state, { by, limit: 1, waiting: true });
  if (waiting) await send(deps, state, waiting, { by, counts: false });
  else state.assumeUp();
}

async function send(
  deps: Dependencies,
  state: ChannelState,
  notification: Notification,
  claimed: { by: string; counts: boolean },
): Promise<void> {
  try {
    await updateState(deps, state, await deliver(deps, notification, claimed));
  } catch (error) {
    // The claim expires, and another run tries again.
    deps.log.error("notification not processed", { id: notification.id, error: causes(error) });
  }
}

/** The first message that succeeds after an outage makes all waiting ones due. */
async function updateState(deps: Dependencies, state: ChannelState, delivery: Delivery): Promise<void> {
  if (!state.recordDelivery(delivery)) return;
  await releaseNotifications(deps.db, state.channel, deps.clock.now().toISOString());
  state.expectMore();
}

function claim(
  { db, clock }: Dependencies,
  { channel }: ChannelState,
  { by, limit, waiting }: { by: string; limit: number; waiting: boolean },
): Promise<Notification[]> {
  const now = clock.now();
  return claimNotifications(db, {
    claimedBy: by,
    channel,
    now: now.toISOString(),
    claimedUntil: new Date(now.getTime() + CLAIM_MS).toISOString(),
    limit,
    waiting,
  });
}

function channelStates({ db }: Dependencies): ChannelState[] {
  const known = statesByDatabase.get(db);
  if (known) return known;
  const initial = CHANNELS.map((channel) =>
    createChannelState(channel, { slots: SLOTS[channel], slotMs: CLAIM_MS }),
  );
  statesByDatabase.set(db, initial);
  return initial;
}
