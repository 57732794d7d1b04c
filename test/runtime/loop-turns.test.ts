import { expect, test } from "bun:test";
import { createLoopTurns } from "../../worker/lib/turns";

test("of several that wait at once, one goes on in each turn of the event loop, in their order", async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const takeTurn = createLoopTurns();
  const went: [name: string, turn: number][] = [];
  const waiting = ["first", "second", "third"].map(async (name) => {
    await takeTurn();
    went.push([name, turn]);
  });
  await Promise.all(waiting);
  clearImmediate(counting);
  expect(went.map(([name]) => name)).toEqual(["first", "second", "third"]);
  expect(new Set(went.map(([, turn]) => turn)).size).toBe(3);
});
