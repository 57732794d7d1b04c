import { expect, test } from "bun:test";
import type { EnvelopeRow } from "../../worker/contract/envelopes";
import { COUNTED, type CountedWord, marksOf } from "../../worker/contract/request-words";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const row = (changes: Partial<EnvelopeRow> = {}) =>
  ({
    ...{ status: "pending", toReview: 0, returned: 0, overdue: false, opened: true, delivery: "ok" },
    ...changes,
  }) as EnvelopeRow;
const marks = (changes: Partial<EnvelopeRow>) => marksOf(row(changes), NOW);

test("an envelope has at most two marks, the weightiest first", () => {
  expect(marks({})).toEqual([]);
  expect(marks({ status: "completed", toReview: 2, opened: false })).toEqual(["toReview"]);
  expect(marks({ returned: 1, overdue: true, delivery: "failed" })).toEqual(["askedAgain", "overdue"]);
  expect(marks({ overdue: true, opened: false, delivery: "failed" })).toEqual(["overdue", "notOpened"]);
  expect(marks({ opened: false, delivery: "failed" })).toEqual(["notOpened", "notDelivered"]);
  expect(marks({ status: "draft", opened: false })).toEqual([]);
});

test("a message is not delivered once it has failed or has waited for ten minutes", () => {
  expect(marks({ delivery: "pending", queuedSince: "2026-03-01T11:50:01.000Z" })).toEqual([]);
  expect(marks({ delivery: "pending", queuedSince: "2026-03-01T11:50:00.000Z" })).toEqual(["notDelivered"]);
  expect(marks({ delivery: "pending" })).toEqual([]);
  expect(marks({ delivery: "failed" })).toEqual(["notDelivered"]);
  expect(marks({ status: "completed", delivery: "failed" })).toEqual([]);
});

test("what is submitted is to review or done, and counts as sent and opened, too", () => {
  const words = (changes: Partial<EnvelopeRow>) =>
    (Object.keys(COUNTED) as CountedWord[]).filter((word) => COUNTED[word](row(changes)));
  expect(words({ status: "draft", opened: false })).toEqual([]);
  expect(words({ opened: false })).toEqual(["sent"]);
  expect(words({ status: "expired" })).toEqual(["sent", "opened"]);
  const submitted = { status: "completed", opened: false } as const;
  expect(words({ ...submitted, toReview: 1 })).toEqual(["sent", "opened", "submitted", "toReview"]);
  expect(words(submitted)).toEqual(["sent", "opened", "submitted", "done"]);
});
