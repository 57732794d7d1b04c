import { expect, test } from "bun:test";
import { createChannelState } from "../../worker/features/notifications/channel-state";

const open = () => createChannelState("email", { slots: 2, slotMs: 1000 });

test("a channel gives each slot once, and again when it is released or too old", () => {
  const state = open();
  const [first, second] = state.takeSlots(0);
  expect([first, second].every((slot) => typeof slot === "symbol")).toBe(true);
  expect([state.takeSlots(1000).length, state.hasMore()]).toEqual([0, true]);
  state.releaseSlots(first ? [first] : []);
  expect([state.takeSlots(1000).length, state.hasMore()]).toEqual([1, false]);
  // The second slot was never released.
  expect(state.takeSlots(1001)).toHaveLength(1);
});

test("only the first message sent after an outage means that the channel works again", () => {
  const state = open();
  expect(state.recordDelivery("postponed")).toBe(false);
  expect([state.isDown(), state.recordDelivery("sent"), state.isDown()]).toEqual([true, true, false]);
  expect(state.recordDelivery("sent")).toBe(false);
  expect([state.recordDelivery("outage"), state.isDown()]).toEqual([false, true]);
  expect(state.recordDelivery("cancelled")).toBe(false);
  expect([state.isDown(), state.recordDelivery("sent")]).toEqual([true, true]);
});
