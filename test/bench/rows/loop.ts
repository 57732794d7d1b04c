import { measureBlocks } from "../../support/loop/measure";
import type { Row } from "../harness/row";

const NAMED = 5;
const GOAL_MS = 50;

/** The worst allowed input of each call, and the jobs: the longest time that one keeps everybody else waiting. */
export const loop: Row = async () => {
  const blocks = await measureBlocks(GOAL_MS, { filesPerDocument: 3 });
  return blocks
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, NAMED)
    .map(({ what, milliseconds }) => ({
      what: `Keeps everybody else waiting: ${what.slice(0, 100)}`,
      unit: "ms",
      value: milliseconds,
      goal: { of: "value", atMost: GOAL_MS },
    }));
};
