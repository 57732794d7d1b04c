import { type Claim, NO_ACCOUNT, type Turn } from "../../../db/queries/fair-claims";
import { type RetryPolicy, retryDelay } from "../../contract/retry-policy";
import { causes } from "../../errors";
import { retry } from "../../lib/retry";
import type { Clock } from "../../ports/clock";
import type { Logger } from "../../ports/logger";
import { createSharedSlots } from "./shared-slots";

/** A row that senders claim; `attempts` includes the claimed one. */
export type Message = { id: number; userId: number | null; claimedBy: string | null; attempts: number };

/** How an attempt ended: `rejected` concerns this message, `outage` the whole queue; `postponed` was not attempted. */
type Result = "sent" | "cancelled" | "postponed" | "rejected" | "outage";

export type Attempt = {
  result: Result;
  /** Whether it must not be retried. */
  permanent?: boolean;
  /** Whether the server answered, so that it is up although it rejected the message. */
  answered?: boolean;
  /** Whether the message may have been delivered nevertheless. */
  unclear?: boolean;
  retryAfterSeconds?: number;
};

/** What becomes of the message. Without `nextAttemptAt`, it stays due when it was. */
export type Outcome =
  | { status: "sent" | "cancelled" | "failed" }
  | { status: "waiting"; attempts: number; nextAttemptAt?: string };

/** What differs between mail, text messages and webhooks. */
export type Sender<M extends Message, A extends Attempt> = {
  queue: string;
  /** What the log calls a message. */
  name: string;
  /**
   * How many messages are sent concurrently, and how many of one account. After `claimMs`, longer than an attempt and its
   * record, another process may take over a message.
   */
  limits: {
    slots: number;
    share: number;
    claimMs: number;
    /** How long a message keeps its slot, if that differs because claims are extended. */
    slotMs?: number;
    /** After this time others may be sent in its place, but no more of its account. */
    slowMs?: number;
    /** How many are sent at a time, slow ones included. */
    most?: number;
  };
  /** Claims nothing more once the invocation has no more calls of the database left than this. */
  leavesCalls: number;
  retries: RetryPolicy;
  claim(claim: Claim): Promise<M[]>;
  /**
   * Sends a claimed message.
   * @param ending is aborted if it takes long and others wait for its slot
   * @returns undefined if it must not be sent any more and its row needs no outcome
   */
  send(message: M, ending?: AbortSignal): Promise<A | undefined>;
  /** Stores the outcome, unless another process has claimed the message meanwhile. */
  record(message: M, attempt: A, outcome: Outcome): Promise<void>;
  /**
   * Called once a message was sent, or rejected by a server that was down before.
   * @param recovered whether this is its first answer since an outage
   * @returns whether others may be due now
   */
  onAnswer(recovered: boolean): Promise<boolean>;
};

/** The queues of a process, by name. */
export type DeliveryQueues = Map<string, DeliveryQueue>;

type Environment = {
  clock: Clock;
  log: Logger;
  memory: { queues: DeliveryQueues };
  takeTurn?: () => Promise<void>;
  holdsMessages?: boolean;
  runLimits?: { attempts: number; callsLeft(): number };
};

/** A sent message that is not recorded is sent again, so a busy database gets several attempts. */
const RECORD_RETRIES: RetryPolicy = { delays: [1000, 5000], givesUp: true };
/** A single message, whoever's turn it is. */
const ONE: Turn = { limit: 1, share: 1, running: {}, after: NO_ACCOUNT, slots: 1 };

type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/** What a process knows of a queue: the messages it is sending, and whether the last attempt failed by an outage. */
export function createDeliveryQueue({
  slots,
  share,
  claimMs,
  slotMs = claimMs,
  slowMs,
  most,
}: Sender<Message, Attempt>["limits"]) {
  // Unknown at the start, which is treated like an outage.
  let down = true;
  return {
    slots: createSharedSlots({ slots, share, slotMs, slowMs, most }),
    isDown: () => down,
    assumeUp() {
      down = false;
    },
    /** Records how an attempt ended. @returns whether it is the first that got an answer after an outage */
    recordAttempt({ result, answered = result === "sent" }: Attempt): boolean {
      const recovered = down && answered;
      if (answered) down = false;
      else if (result === "outage") down = true;
      return recovered;
    },
  };
}

/** Claims the messages of a sender, sends them and records the outcome. */
export class Delivery<M extends Message, A extends Attempt> {
  readonly #environment: Environment;
  readonly #sender: Sender<M, A>;
  readonly #queue: DeliveryQueue;
  /** How many more messages this run may claim. */
  #left: number;

  constructor(environment: Environment, sender: Sender<M, A>) {
    const { queues } = environment.memory;
    this.#environment = environment;
    this.#sender = sender;
    this.#left = environment.runLimits?.attempts ?? Number.POSITIVE_INFINITY;
    this.#queue = queues.get(sender.queue) ?? createDeliveryQueue(sender.limits);
    queues.set(sender.queue, this.#queue);
  }

  /**
   * Sends what is due, until none is left or the time is over. Several processes may run this at once, because each row
   * is claimed first. All runs in one process share the slots, so that a gateway is never overloaded.
   */
  async sendDue(endsAt: number): Promise<void> {
    const { slots } = this.#queue;
    const taken = slots.take(Date.now());
    if (!taken) return;
    let claimed: M[] = [];
    try {
      claimed = await this.#claim({ turn: taken.turn });
    } finally {
      slots.assign(taken, claimed);
    }
    const sendMore = async () => {
      if (slots.hasMore() && Date.now() < endsAt) await this.sendDue(endsAt);
    };
    await Promise.all([
      ...claimed.map(async (message, index) => {
        const slot = taken.slots[index];
        try {
          if (await this.#send(message, { isProbe: false, ending: slot?.ending.signal })) slots.expectMore();
        } finally {
          if (slot) slots.release(slot);
        }
        await sendMore();
      }),
      sendMore(),
    ]);
  }

  /** During an outage, tries one message that waits for its end; once the server answers, sends what became due. */
  async resume(endsAt: number): Promise<void> {
    if (!this.#queue.isDown()) return;
    const [probe] = await this.#claim({ turn: ONE, waiting: true });
    if (!probe) this.#queue.assumeUp();
    else if (await this.#send(probe, { isProbe: true })) await this.sendDue(endsAt);
  }

  async #claim({ turn, waiting }: Pick<Claim, "turn" | "waiting">): Promise<M[]> {
    const { clock, holdsMessages, runLimits } = this.#environment;
    const limit = Math.min(turn.limit, this.#left);
    if (holdsMessages || limit <= 0 || (runLimits && runLimits.callsLeft() <= this.#sender.leavesCalls))
      return [];
    const now = clock.now();
    const claimed = await this.#sender.claim({
      claimedBy: crypto.randomUUID(),
      now: now.toISOString(),
      claimedUntil: new Date(now.getTime() + this.#sender.limits.claimMs).toISOString(),
      turn: { ...turn, limit },
      ...(waiting && { waiting }),
    });
    this.#left -= claimed.length;
    return claimed;
  }

  /** Sends a claimed message and records the outcome. @returns whether others may be due now */
  async #send(
    message: M,
    { isProbe, ending }: { isProbe: boolean; ending?: AbortSignal | undefined },
  ): Promise<boolean> {
    const { clock, log, takeTurn } = this.#environment;
    const { name, retries } = this.#sender;
    const { id } = message;
    try {
      // Several are sent at once, and each may be about a megabyte of documents.
      await takeTurn?.();
      const attempt = await this.#sender.send(message, ending);
      if (!attempt) return false;
      const outcome = outcomeOf(message, attempt, { retries, isProbe, now: clock.now() });
      await retry(
        () => this.#sender.record(message, attempt, outcome),
        (error, failures) => {
          log.error(`${name} outcome not recorded`, { id, status: outcome.status, error: causes(error) });
          return retryDelay(RECORD_RETRIES, failures);
        },
      );
      const recovered = this.#queue.recordAttempt(attempt);
      return (recovered || attempt.result === "sent") && (await this.#sender.onAnswer(recovered));
    } catch (error) {
      // The claim expires, and another run tries again.
      log.error(`${name} not processed`, { id, error: causes(error) });
      return false;
    }
  }
}

type Circumstances = { retries: RetryPolicy; isProbe: boolean; now: Date };

/** A postponed message does not count as an attempt, nor does a probe that certainly sent nothing. */
function outcomeOf(
  { attempts }: Message,
  { result, permanent, unclear, retryAfterSeconds = 0 }: Attempt,
  { retries, isProbe, now }: Circumstances,
): Outcome {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  if (result === "sent" || result === "cancelled") return { status: result };
  if (result === "postponed")
    return { status: "waiting", attempts: attempts - 1, nextAttemptAt: after(retryAfterSeconds * 1000) };
  const counted = isProbe && !unclear ? attempts - 1 : attempts;
  if (result === "outage" && counted < attempts) return { status: "waiting", attempts: counted };
  const delay = retryDelay(retries, Math.max(counted, 1), retryAfterSeconds);
  if (permanent || delay === null) return { status: "failed" };
  return { status: "waiting", attempts: counted, nextAttemptAt: after(delay) };
}
