import { NO_ACCOUNT, type Turn } from "../../../db/queries/fair-claims";

type Slot = { since: number; account?: number; ending: AbortController };
/** The slots for one claim, and whom it may serve. */
type Taken = { turn: Turn; slots: readonly Slot[] };

/**
 * The slots for the messages that a process sends, shared by all accounts: none gets more than `share` of them, and they
 * are served in turn. Does no I/O.
 * @param slotMs after this time a slot counts as free: a Worker that was stopped releases none
 * @param slowMs after this time others may have it, and its account still has its share: some receivers are slow on purpose
 * @param most that are sent at a time, slow ones included: those that were begun first end for what is claimed beyond it
 */
export function createSharedSlots({
  slots,
  share,
  slotMs,
  slowMs = Number.POSITIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
}: {
  slots: number;
  share: number;
  slotMs: number;
  slowMs?: number | undefined;
  most?: number | undefined;
}) {
  const taken = new Set<Slot>();
  let more = false;
  let after = NO_ACCOUNT;
  /** The accounts that had all of their share after the last claim, and may have more. */
  let full = new Set<number>();
  return {
    /** More messages may be due than were claimed. */
    hasMore: () => more,
    expectMore() {
      more = true;
    },
    /** Takes all free slots for one claim. Undefined if there are none, or while another claim has them. */
    take(now: number): Taken | undefined {
      for (const slot of taken) if (now - slot.since > slotMs) taken.delete(slot);
      const running = [...taken].flatMap(({ account }) => account ?? []);
      const isSlow = ({ since, account }: Slot) => account !== undefined && now - since > slowMs;
      const limit = slots - running.length + [...taken].filter(isSlow).length;
      more = limit === 0 || running.length < taken.size;
      if (more) return undefined;
      const free = Array.from({ length: limit }, (): Slot => ({ since: now, ending: new AbortController() }));
      for (const slot of free) taken.add(slot);
      return { turn: { limit, share, running: countEach(running), after, slots }, slots: free };
    },
    /** Assigns the slots to the accounts of what was claimed, and releases the rest. */
    assign({ turn, slots: free }: Taken, claimed: readonly { userId: number | null }[]) {
      const accounts = claimed.map(({ userId }) => userId ?? NO_ACCOUNT);
      for (const [index, slot] of free.entries()) {
        const account = accounts[index];
        if (account === undefined) taken.delete(slot);
        else after = slot.account = account;
      }
      for (const [index, { ending }] of [...taken].entries()) if (index < taken.size - most) ending.abort();
      // As the claim saw them: what was released meanwhile was not replaced.
      const served = countEach(accounts, turn.running);
      full = new Set(
        Object.keys(served)
          .map(Number)
          .filter((account) => (served[account] ?? 0) >= share),
      );
      if (accounts.length === free.length) more = true;
    },
    release(slot: Slot) {
      if (slot.account !== undefined && full.has(slot.account)) more = true;
      taken.delete(slot);
    },
  };
}

/** How often each account occurs, added to earlier counts. */
function countEach(accounts: readonly number[], counts: Turn["running"] = {}): Record<number, number> {
  const sums = { ...counts };
  for (const account of accounts) sums[account] = (sums[account] ?? 0) + 1;
  return sums;
}
