import { expect, test } from "bun:test";
import {
  countTabs,
  filterByRecipient,
  filterBySubject,
  inTab,
  isLongList,
  parseCounts,
  sortEnvelopes,
} from "../../web/features/envelopes/list-view";
import { pagedList } from "../../web/lib/read-pages";
import type { EnvelopeRow } from "../../worker/contract/envelopes";

let lastId = 0;
const row = (changes: Partial<EnvelopeRow> = {}) => {
  lastId += 1;
  return {
    ...{ id: lastId, subject: "Papers", recipient: "Ada", status: "pending", toReview: 0, overdue: false },
    ...{ dueDate: null, expirationDate: null, remindedAt: null, createdAt: "2026-01-01T00:00:00.000Z" },
    ...changes,
  } as EnvelopeRow;
};

test("an envelope counts once in all and once in its state; those to review do not count as completed", () => {
  const list = [
    ...[row(), row({ overdue: true }), row({ status: "draft" }), row({ status: "expired" })],
    ...[row({ status: "completed", toReview: 1 }), row({ status: "completed" })],
    row({ status: "scheduled" }),
  ];
  expect(countTabs(list)).toEqual({
    ...{ all: 7, waiting: 2, overdue: 1, toReview: 1, completed: 1, expired: 1, scheduled: 1, drafts: 1 },
  });
  expect(inTab(list, "toReview")).toEqual(list.slice(4, 5));
  expect(inTab(list, "completed")).toEqual(list.slice(5, 6));
});

test("the counts of the server are read from its header, where those to review also count as completed", () => {
  const header = "all=12, waiting=3, overdue=2, toReview=1, completed=2, expired=4, scheduled=6, drafts=5";
  expect(parseCounts(header)).toEqual({
    ...{ all: 12, waiting: 3, overdue: 2, toReview: 1, completed: 1, expired: 4, scheduled: 6, drafts: 5 },
  });
});

test("a filter reads the subject alone, without regard to case and accents", () => {
  const list = [row({ subject: "Überweisung 50%" }), row({ subject: null }), row({ recipient: "Uber" })];
  const found = (filter: string) => filterBySubject(list, filter).map((one) => list.indexOf(one));
  expect(found(" uberW")).toEqual([0]);
  expect(found("50%")).toEqual([0]);
  expect(found("%")).toEqual([0]);
  expect(found("  ")).toEqual([0, 1, 2]);
});

test("what has the filter in its recipient and not in its subject follows", () => {
  const list = [row({ subject: "For Uber", recipient: "Über" }), row({ recipient: "Jo Über" }), row()];
  expect(filterByRecipient(list, " uber")).toEqual(list.slice(1, 2));
  expect(filterByRecipient(list, " ")).toEqual([]);
});

test("the server lists what one page does not hold", () => {
  expect(isLongList(undefined)).toBe(false);
  expect(isLongList({ pages: [{ rows: [row()], next: undefined }] })).toBe(false);
  expect(isLongList({ pages: [{ rows: [row()], next: "1" }] })).toBe(true);
});

test("a row that has moved between two pages is shown once, and a key press does not select the rows again", () => {
  const list = () => pagedList(async () => ({ rows: [row()], next: undefined }));
  const [one, other] = [row(), row()];
  const pages = [{ rows: [one, other] }, { rows: [other] }].map((page) => ({ ...page, next: undefined }));
  expect(list().select({ pages, pageParams: [] })).toEqual([one, other]);
  expect(list().select).toBe(list().select);
});

test("envelopes sort by each order, with those without a value last both ways and ties by id", () => {
  const list = [
    row({ status: "completed", recipient: "Zoë", expirationDate: "2026-01-01", dueDate: "2026-01-01" }),
    row({ recipient: "ada", expirationDate: "2026-03-01", remindedAt: "2026-02-02", dueDate: "2026-03-01" }),
    row({ status: "draft", recipient: null, subject: "Item 10" }),
    row({ status: "completed", toReview: 1, recipient: "Ben", subject: "item 2" }),
    row({
      ...{ status: "expired", recipient: "Cy", subject: "Item 02", expirationDate: "2026-02-01" },
      ...{ remindedAt: "2026-01-01", dueDate: "2026-02-01" },
    }),
  ];
  const order = (sort: Parameters<typeof sortEnvelopes>[1]) =>
    sortEnvelopes(list, sort).map((one) => list.indexOf(one));
  expect(order(undefined)).toEqual([4, 3, 2, 1, 0]);
  expect(order("created")).toEqual([0, 1, 2, 3, 4]);
  expect(order("subject")).toEqual([3, 4, 2, 0, 1]);
  expect(order("-subject")).toEqual([1, 0, 2, 4, 3]);
  expect(order("recipient")).toEqual([1, 3, 4, 0, 2]);
  expect(order("-recipient")).toEqual([0, 4, 3, 1, 2]);
  expect(order("status")).toEqual([2, 1, 4, 3, 0]);
  expect(order("due")).toEqual([4, 1, 0, 2, 3]);
  expect(order("-due")).toEqual([1, 4, 3, 2, 0]);
  expect(order("expires")).toEqual([4, 1, 0, 2, 3]);
  expect(order("reminded")).toEqual([4, 1, 0, 2, 3]);
});
