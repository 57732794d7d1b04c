import { expect, test } from "bun:test";
import type { Envelope } from "../../web/features/envelopes/envelope";
import { undecidedAnswers } from "../../web/features/envelopes/review/review-items";

const document = (id: number, changes: object) =>
  ({ id, name: `Document ${id}`, required: true, reasonAllowed: true, skipped: false, ...changes }) as never;
const file = (requestDocumentId: number) =>
  ({ id: requestDocumentId, requestDocumentId, superseded: false, url: "/uploads/x" }) as never;

const undecided = (documents: never[], files: never[], pendingReturns = new Map<number, string>()) =>
  undecidedAnswers({ documents, submissions: files } as Pick<Envelope, "documents" | "submissions">, {
    open: true,
    pendingReturns,
  })?.map(({ name }) => name);

test("a review is done once files and reasons given instead of required ones have a decision", () => {
  const accepted = document(1, { state: "accepted" });
  const received = document(2, { state: "received" });
  const reason = document(3, { state: "skipped", skipped: true });
  const optional = document(4, { state: "skipped", skipped: true, required: false });
  expect(undecided([accepted, received, reason, optional], [file(1), file(2)])).toEqual([
    "Document 2",
    "Document 3",
  ]);
  expect(undecided([accepted, reason], [file(1)])).toEqual(["Document 3"]);
  expect(undecided([accepted, reason], [file(1)], new Map([[3, "Please look again."]]))).toEqual([]);
  expect(undecided([accepted, optional], [file(1)])).toEqual([]);
});

test("nothing is to be decided before an envelope is submitted", () => {
  const envelope = { documents: [document(1, { state: "received" })], submissions: [file(1)] };
  const review = { open: false, pendingReturns: new Map<number, string>() };
  expect(undecidedAnswers(envelope, review)).toBeNull();
});
