import { expect, test } from "bun:test";
import { type Contact, sortContacts } from "../../web/features/contacts/contacts.queries";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";
import {
  countTabs,
  findElsewhere,
  findEnvelopes,
  parseCounts,
  sortEnvelopes,
} from "../../web/features/envelopes/list-view";
import { TITLE_PREFIX } from "../../worker/contract/product";

const REVIEW = { toReview: 0, accepted: 0, returned: 0 };
const envelope = (changes: object) =>
  ({
    ...{ subject: "Papers", title: `${TITLE_PREFIX}Ada`, customerEmail: "ada@example.com", contact: null },
    ...{ status: "pending", review: REVIEW, filesDeletedAt: null, documents: [], createdAt: "" },
    ...changes,
  }) as unknown as Envelope;

test("an envelope counts once in all and once in its state; those to review do not count as completed", () => {
  const toReview = { status: "completed", review: { ...REVIEW, toReview: 1 } };
  const list = [
    ...[
      envelope({}),
      envelope({ overdue: true }),
      envelope({ status: "draft" }),
      envelope({ status: "expired" }),
    ],
    ...[envelope(toReview), envelope({ status: "completed" })],
    // No file is left to review.
    envelope({ ...toReview, filesDeletedAt: "2026-01-01" }),
  ];
  expect(countTabs(list)).toEqual({
    ...{ all: 7, waiting: 2, overdue: 1, toReview: 1, completed: 2, expired: 1, drafts: 1 },
  });
});

test("a search in the browser folds letters as the server's does", () => {
  const list = [envelope({ subject: "Małecki’s Straße in Þórshöfn" })];
  for (const q of ["malecki's", "STRASSE", "thorshofn", "MAŁECKI´S"])
    expect([q, findEnvelopes(list, { q }).length]).toEqual([q, 1]);
});

test("the counts of the server are read from its header, where those to review also count as completed", () => {
  expect(parseCounts("all=12, waiting=3, overdue=2, toReview=1, completed=2, expired=4, drafts=5")).toEqual({
    ...{ all: 12, waiting: 3, overdue: 2, toReview: 1, completed: 1, expired: 4, drafts: 5 },
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

test("words that are in no subject are counted by where they are found", () => {
  const list = [
    envelope({ subject: "Steuern", title: `${TITLE_PREFIX}Jürgen Groß` }),
    envelope({ subject: "Miete", customerEmail: "jurgen@example.com", status: "draft" }),
    envelope({ subject: null, documents: [{ name: "Passport of Jürgen" }] }),
  ];
  expect(findElsewhere(list.slice(0, 2), { filter: "Jürgen" })).toEqual({
    q: "Jürgen",
    count: 2,
    by: "recipient",
  });
  expect(findElsewhere(list, { filter: "jürgen" })).toMatchObject({ count: 3, by: "other" });
  expect(findElsewhere(list, { filter: " jürgen ", tab: "drafts", q: "miete" })).toEqual({
    ...{ q: "miete jürgen", count: 1, by: "recipient" },
  });
  expect(findElsewhere(list, { filter: "Anna" })).toBeNull();
  expect(findElsewhere(list, { filter: " " })).toBeNull();
});

test("envelopes sort by every column, by expiration date and last reminder; those without come last both ways", () => {
  const list = [
    envelope({
      status: "completed",
      title: `${TITLE_PREFIX}Zoë`,
      expirationDate: "2026-01-01",
      remindedAt: null,
    }),
    envelope({ title: `${TITLE_PREFIX}ada`, expirationDate: "2026-03-01", remindedAt: "2026-02-02" }),
    envelope({ status: "draft", title: TITLE_PREFIX, expirationDate: null, remindedAt: null }),
    envelope({
      ...{ status: "completed", review: { ...REVIEW, toReview: 1 }, expirationDate: null, remindedAt: null },
      title: `${TITLE_PREFIX}Ben`,
    }),
    envelope({
      status: "expired",
      title: `${TITLE_PREFIX}Cy`,
      expirationDate: "2026-02-01",
      remindedAt: "2026-01-01",
    }),
  ];
  const order = (sort: Parameters<typeof sortEnvelopes>[1]) =>
    sortEnvelopes(list, sort).map((one) => list.indexOf(one));
  expect(order("recipient")).toEqual([1, 3, 4, 0, 2]);
  expect(order("-recipient")).toEqual([0, 4, 3, 1, 2]);
  expect(order("status")).toEqual([2, 1, 4, 3, 0]);
  expect(order("expires")).toEqual([4, 1, 0, 2, 3]);
  expect(order("-expires")).toEqual([1, 4, 0, 2, 3]);
  expect(order("reminded")).toEqual([4, 1, 0, 2, 3]);
});

test("envelopes sort by due date; those without one come last both ways", () => {
  const list = ["2026-03-01", null, "2026-01-01"].map((dueDate) => envelope({ dueDate }));
  const order = (sort: Parameters<typeof sortEnvelopes>[1]) =>
    sortEnvelopes(list, sort).map((one) => list.indexOf(one));
  expect(order("due")).toEqual([2, 0, 1]);
  expect(order("-due")).toEqual([0, 2, 1]);
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

test("contacts sort by name and by company, those without a company last", () => {
  const contact = (firstName: string, company: string | null) =>
    ({ firstName, lastName: null, company }) as Contact;
  const list = [contact("Zoë", "acme"), contact("ada", null), contact("Ben", "Acme"), contact("Cy", "Babel")];
  const names = (sort: Parameters<typeof sortContacts>[1]) =>
    sortContacts(list, sort).map(({ firstName }) => firstName);
  expect(names("newest")).toEqual(["Zoë", "ada", "Ben", "Cy"]);
  expect(names("name")).toEqual(["ada", "Ben", "Cy", "Zoë"]);
  expect(names("company")).toEqual(["Ben", "Zoë", "Cy", "ada"]);
});
