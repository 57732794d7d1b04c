import {
  type Channel,
  claimNotifications,
  type Notification,
  releaseNotifications,
} from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { type Delivery, deliver, SEND_TIMEOUT_MS } from "./deliver";

/** Time for sending and for recording it in a busy database. Afterwards another process may take over the claim. */
const CLAIM_MS = SEND_TIMEOUT_MS + 35_000;
/** A run claims nothing more after this time; the next run continues. */
const RUN_MS = 45_000;

/** Concurrent messages per channel. Mail and SMS do not wait for each other. */
const SLOTS: Record<Channel, number> = { email: 8, sms: 4 };
const CHANNELS = ["email", "sms"] as const;

/** The state of a channel in this process. */
type Lane = {
  channel: Channel;
  /** When each running message was started. */
  busy: Map<symbol, number>;
  /** More messages may be due than there were free slots. */
  more: boolean;
  /** Whether the channel failed at the last attempt; true at the start, when the state is unknown. */
  down: boolean;
};

/** Keyed by database: each request has its own dependencies object. */
const lanes = new WeakMap<Dependencies["db"], Lane[]>();

/**
 * Sends what is due. Several processes may run this at once, because each row is claimed first. All runs in one
 * process share the slots, so that a gateway is never overloaded.
 */
export async function sendDue(deps: Dependencies): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  await Promise.all(lanesOf(deps).map((lane) => drain(deps, lane, endsAt)));
}

/**
 * Sends what is due. If a channel is down, tries one waiting message first and sends all of them once it works again.
 */
export async function drainOutbox(deps: Dependencies): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  await Promise.all(
    lanesOf(deps).map(async (lane) => {
      await drain(deps, lane, endsAt);
      if (lane.down) await probe(deps, lane);
      if (lane.more) await drain(deps, lane, endsAt);
    }),
  );
}

async function drain(deps: Dependencies, lane: Lane, endsAt: number): Promise<void> {
  const slots = takeSlots(lane);
  lane.more = slots.length === 0;
  if (slots.length === 0) return;
  const by = crypto.randomUUID();
  let claimed: Notification[] = [];
  try {
    claimed = await claim(deps, lane, { by, limit: slots.length, waiting: false });
    if (claimed.length === slots.length) lane.more = true;
  } finally {
    for (const slot of slots.slice(claimed.length)) lane.busy.delete(slot);
  }
  await Promise.all(
    claimed.map(async (notification, index) => {
      await send(deps, lane, notification, { by, counts: true });
      const slot = slots[index];
      if (slot) lane.busy.delete(slot);
      if (lane.more && Date.now() < endsAt) await drain(deps, lane, endsAt);
    }),
  );
}

/** Sends the next waiting message as a probe, so that delivery resumes soon after an outage. */
async function probe(deps: Dependencies, lane: Lane): Promise<void> {
  const by = crypto.randomUUID();
  const [waiting] = await claim(deps, lane, { by, limit: 1, waiting: true });
  if (waiting) await send(deps, lane, waiting, { by, counts: false });
  else lane.down = false;
}

async function send(
  deps: Dependencies,
  lane: Lane,
  notification: Notification,
  claimed: { by: string; counts: boolean },
): Promise<void> {
  try {
    await updateLane(deps, lane, await deliver(deps, notification, claimed));
  } catch (error) {
    // The claim expires, and another run tries again.
    deps.log.error("notification not processed", { id: notification.id, error: causes(error) });
  }
}

/** The first message that succeeds after an outage makes all waiting ones due. */
async function updateLane(deps: Dependencies, lane: Lane, delivery: Delivery): Promise<void> {
  if (delivery === "cancelled" || delivery === "postponed") return;
  const wasDown = lane.down;
  lane.down = delivery === "outage";
  if (!wasDown || delivery !== "sent") return;
  await releaseNotifications(deps.db, lane.channel, deps.clock.now().toISOString());
  lane.more = true;
}

function claim(
  { db, clock }: Dependencies,
  { channel }: Lane,
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

/** A Worker that was stopped releases no slots, so slots older than a claim are ignored. */
function takeSlots(lane: Lane): symbol[] {
  const now = Date.now();
  for (const [slot, since] of lane.busy) if (now - since > CLAIM_MS) lane.busy.delete(slot);
  const slots = Array.from({ length: SLOTS[lane.channel] - lane.busy.size }, () => Symbol());
  for (const slot of slots) lane.busy.set(slot, now);
  return slots;
}

function lanesOf({ db }: Dependencies): Lane[] {
  const known = lanes.get(db);
  if (known) return known;
  const initial = CHANNELS.map((channel) => ({ channel, busy: new Map(), more: false, down: true }));
  lanes.set(db, initial);
  return initial;
}
