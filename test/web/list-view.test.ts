import { expect, test } from "bun:test";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";
import { countTabs, findEnvelopes, parseCounts, sortEnvelopes } from "../../web/features/envelopes/list-view";
import { TITLE_PREFIX } from "../../worker/contract/product";

const REVIEW = { toReview: 0, accepted: 0, returned: 0 };
const envelope = (changes: object) =>
  ({
    ...{ subject: "Papers", title: `${TITLE_PREFIX}Ada`, customerEmail: "ada@example.com", contact: null },
    ...{ status: "pending", review: REVIEW, filesDeletedAt: null, documents: [], createdAt: "" },
    ...changes,
  }) as unknown as Envelope;

test("an envelope counts once in all and once in its state; those to review also count as completed", () => {
  const toReview = { status: "completed", review: { ...REVIEW, toReview: 1 } };
  const list = [
    ...[envelope({}), envelope({ status: "draft" }), envelope({ status: "expired" })],
    ...[envelope(toReview), envelope({ status: "completed" })],
    // No file is left to review.
    envelope({ ...toReview, filesDeletedAt: "2026-01-01" }),
  ];
  expect(countTabs(list)).toEqual({
    ...{ all: 6, waiting: 1, toReview: 1, completed: 3, expired: 1, drafts: 1 },
  });
});

test("the counts of the server are read from its header", () => {
  expect(parseCounts("all=12, waiting=3, toReview=1, completed=2, expired=4, drafts=5")).toEqual({
    ...{ all: 12, waiting: 3, toReview: 1, completed: 2, expired: 4, drafts: 5 },
  });
  expect(parseCounts(null)).toBeUndefined();
});

test("the search needs every word, in any field, ignoring case and accents; the filter only reads the subject", () => {
  const list = [
    envelope({ subject: "Steuern", title: `${TITLE_PREFIX}Jürgen Groß` }),
    envelope({ subject: null, documents: [{ name: "Passport" }] }),
    envelope({ contact: { firstName: "Zoë", lastName: null } }),
  ];
  const indexes = (view: object) => findEnvelopes(list, view).map((found) => list.indexOf(found));
  expect(indexes({ q: "JURGEN steu" })).toEqual([0]);
  expect(indexes({ q: "pass" })).toEqual([1]);
  expect(indexes({ q: "zoe papers" })).toEqual([2]);
  expect(indexes({ q: "steuern pass" })).toEqual([]);
  expect(indexes({ q: "  " })).toEqual([0, 1, 2]);
  expect(indexes({ filter: "STEU" })).toEqual([0]);
  expect(indexes({ filter: "pass" })).toEqual([]);
});

test("subjects sort with natural numbers, dates by time, both ways, and the sort is stable", () => {
  const list = [
    envelope({ subject: "Item 10", createdAt: "2026-02" }),
    envelope({ subject: "item 2", createdAt: "2026-01" }),
    envelope({ subject: "Item 2", createdAt: "2026-03" }),
  ];
  const order = (sort: Parameters<typeof sortEnvelopes>[1]) =>
    sortEnvelopes(list, sort).map((one) => list.indexOf(one));
  expect(order(undefined)).toEqual([0, 1, 2]);
  expect(order("subject")).toEqual([1, 2, 0]);
  expect(order("-subject")).toEqual([0, 1, 2]);
  expect(order("-created")).toEqual([2, 0, 1]);
});
