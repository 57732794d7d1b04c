import { appError } from "../errors";

export interface WorkQueue {
  /**
   * Runs the work when its turn comes. `lane` says who waits, from the general to the particular, such as a client's
   * address and an account: addresses take turns, and so do the accounts of one address.
   * @throws AppError `rate_limited` if too many of the lane wait, `unavailable` if the queue is full
   */
  run<T>(lane: readonly string[], work: () => Promise<T>): Promise<T>;
}

type QueueLimits = {
  /** Maximum number running concurrently. */
  running: number;
  /** Maximum number waiting. */
  waiting: number;
  /** Maximum number waiting of one lane. */
  waitingPerLane: number;
  /** Maximum number of one lane, those that run included. */
  perLane?: number;
  /** The Retry-After of work that is rejected because the queue is full. */
  retryAfterSeconds: number;
};

/** The Retry-After of work that is rejected because others of its lane wait: those are soon done. */
const LANE_RETRY_SECONDS = 1;

type Waiter = { start: () => void; reject: (error: unknown) => void };

/** A queue without limits. */
export const NO_QUEUE: WorkQueue = { run: (_lane, work) => work() };

/**
 * Runs a limited number at a time, in turns. If the queue is full, a lane that waits for little displaces the last of
 * the lane that waits for most, so nobody can fill the queue for everybody.
 */
export function createWorkQueue({ running: most, waiting, ...limits }: QueueLimits): WorkQueue {
  const { waitingPerLane, perLane = Number.POSITIVE_INFINITY, retryAfterSeconds } = limits;
  const line = new Lane();
  let running = 0;
  const full = () => appError("unavailable", { retryAfterSeconds });

  const requireRoom = (lane: readonly string[]) => {
    const { waiting = 0, running: ofLane = 0 } = line.find(lane) ?? {};
    if ((running >= most && waiting >= waitingPerLane) || waiting + ofLane >= perLane)
      throw appError("rate_limited", { retryAfterSeconds: LANE_RETRY_SECONDS });
  };

  const wait = (lane: readonly string[]) => {
    if (line.waiting >= waiting) {
      const displaced = line.displace(lane);
      if (!displaced) throw full();
      displaced.reject(full());
    }
    return new Promise<void>((start, reject) => line.add(lane, { start, reject }));
  };

  return {
    async run(lane, work) {
      requireRoom(lane);
      // Finished work starts the next in the queue, so the turns are preserved.
      if (running >= most) await wait(lane);
      else {
        running += 1;
        line.enter(lane);
      }
      try {
        return await work();
      } finally {
        line.leave(lane);
        const next = line.next();
        // As a separate task: a database file answers synchronously, so a queue of rejected attempts would block the
        // event loop.
        if (next) setTimeout(next.start);
        else running -= 1;
      }
    },
  };
}

/**
 * A tree of lanes, by start-time fair queueing: each lane's next turn is one round after its last, and a new lane's is
 * in the current round. A lane is remembered while it has work that waits or runs.
 */
class Lane {
  waiting = 0;
  running = 0;
  /** The round of the lane's next turn within its parent. */
  private turn = 0;
  /** The round of the lane served last. */
  private round = 0;
  private readonly lanes = new Map<string, Lane>();
  private readonly waiters: Waiter[] = [];

  find([name, ...rest]: readonly string[]): Lane | undefined {
    return name === undefined ? this : this.lanes.get(name)?.find(rest);
  }

  add([name, ...rest]: readonly string[], waiter: Waiter): void {
    this.waiting += 1;
    if (name === undefined) this.waiters.push(waiter);
    else this.lane(name).add(rest, waiter);
  }

  /** Records work that runs without having waited. */
  enter([name, ...rest]: readonly string[]): void {
    this.running += 1;
    if (name === undefined) return;
    const lane = this.lane(name);
    this.takeTurn(lane);
    lane.enter(rest);
  }

  /** Records that work has ended. */
  leave([name, ...rest]: readonly string[]): void {
    this.running -= 1;
    const lane = name === undefined ? undefined : this.lanes.get(name);
    if (name === undefined || !lane) return;
    lane.leave(rest);
    this.forgetEmptyLanes();
  }

  /** Removes the waiter whose turn it is, and records its work as running. */
  next(): Waiter | undefined {
    if (this.waiting === 0) return undefined;
    this.waiting -= 1;
    this.running += 1;
    const lane = first(this.waitingLanes(), (one, other) => one.turn < other.turn);
    if (!lane) return this.waiters.shift();
    this.takeTurn(lane);
    return lane.next();
  }

  /** Removes the last waiter of the longest lane, if that is longer than the newcomer's would be. */
  displace([name, ...rest]: readonly string[]): Waiter | undefined {
    const own = name === undefined ? undefined : this.lanes.get(name);
    const longest = first(this.waitingLanes(), (one, other) => one.waiting >= other.waiting);
    const isLonger = longest && longest.waiting > (own?.waiting ?? 0) + 1;
    return this.without(isLonger ? longest.removeLast() : own?.displace(rest));
  }

  private removeLast(): Waiter | undefined {
    const longest = first(this.waitingLanes(), (one, other) => one.waiting >= other.waiting);
    return this.without(longest ? longest.removeLast() : this.waiters.pop());
  }

  private without(removed: Waiter | undefined): Waiter | undefined {
    if (removed) this.waiting -= 1;
    this.forgetEmptyLanes();
    return removed;
  }

  private takeTurn(lane: Lane): void {
    this.round = lane.turn;
    lane.turn += 1;
  }

  private forgetEmptyLanes(): void {
    for (const [name, lane] of this.lanes) if (lane.waiting + lane.running === 0) this.lanes.delete(name);
  }

  private waitingLanes(): Lane[] {
    return [...this.lanes.values()].filter(({ waiting }) => waiting > 0);
  }

  private lane(name: string): Lane {
    const known = this.lanes.get(name);
    if (known) {
      // A lane that was empty for a while does not collect turns.
      if (known.waiting === 0) known.turn = Math.max(known.turn, this.round);
      return known;
    }
    const lane = new Lane();
    lane.turn = this.round;
    this.lanes.set(name, lane);
    return lane;
  }
}

/** The first of the lanes that comes before all others. */
function first(lanes: readonly Lane[], before: (one: Lane, other: Lane) => boolean): Lane | undefined {
  return lanes.reduce<Lane | undefined>(
    (best, lane) => (best && !before(lane, best) ? best : lane),
    undefined,
  );
}
