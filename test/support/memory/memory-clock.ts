import type { Clock } from "../../../worker/ports/clock";

export type MemoryClock = Clock & { set(now: Date | string): void; advance(seconds: number): void };

/** For tests: a clock that only changes when set. */
export function createMemoryClock(start: Date | string = "2026-03-14T09:26:53.000Z"): MemoryClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    set: (now) => {
      time = new Date(now).getTime();
    },
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}
