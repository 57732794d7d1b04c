import { expect, test } from "bun:test";
import { barOf } from "../../web/features/envelopes/board/board-list";
import {
  cellIn,
  clientOf,
  columnsOf,
  linesOf,
  totalOf,
} from "../../web/features/envelopes/board/board-model";
import type { BoardRow } from "../../worker/contract/envelopes";

type Document = BoardRow["documents"][number];
const document = (name: string, changes: Partial<Document> = {}): Document => ({
  ...{ id: 1, name, required: true, state: "open", files: 0, opened: 0, toReview: false, reason: null },
  ...changes,
});
const row = (documents: Document[], status: BoardRow["status"] = "pending") =>
  ({ id: 1, recipient: "Ada", status, documents }) as BoardRow;

test("a board has the documents of the first envelope in its order, then those of the others, each name once", () => {
  const rows = [
    row([document("Passport"), document("Payslip")]),
    row([document("PAYSLIP"), document("Photo"), document("Passport")]),
  ];
  expect(columnsOf(rows).map(({ name }) => name)).toEqual(["Passport", "Payslip", "Photo"]);
  const [first, second] = linesOf(rows);
  const states = columnsOf(rows).map((column) =>
    [first, second].map((line) => line && cellIn(line.cells, column).state),
  );
  expect(states).toEqual([
    ["missing", "missing"],
    ["missing", "missing"],
    ["notAsked", "missing"],
  ]);
});

test.each([
  [document("A"), "pending", "missing"],
  [document("A"), "draft", "notAsked"],
  [document("A", { required: false }), "completed", "skipped"],
  [document("A", { state: "arriving" }), "pending", "arriving"],
  [document("A", { state: "received", toReview: true }), "completed", "toReview"],
  [document("A", { state: "skipped", toReview: true }), "completed", "toReview"],
  [document("A", { state: "skipped", reason: "None" }), "completed", "skipped"],
  [document("A", { state: "accepted" }), "completed", "accepted"],
  [document("A", { state: "returned" }), "pending", "returned"],
  [document("A", { state: "deleted" }), "completed", "deleted"],
] as const)("the cell of %j in a %s envelope is %s", (one, status, state) => {
  expect(linesOf([row([one], status)])[0]?.cells.get("a")?.state).toBe(state);
});

test("a total counts what is there of what was asked for, and what is to review", () => {
  const [line] = linesOf([
    row([
      document("A", { state: "accepted" }),
      document("B", { state: "received", toReview: true }),
      document("C", { state: "returned" }),
      document("D", { state: "arriving" }),
    ]),
  ]);
  expect(line?.total).toEqual({ done: 2, asked: 4, toReview: 1 });
  expect(totalOf([{ state: "notAsked" }, { state: "skipped" }])).toEqual({ done: 1, asked: 1, toReview: 0 });
});

test("a client with several envelopes has a name of its own in each: that of the client with the subject", () => {
  const lines = linesOf([
    { ...row([]), subject: "Taxes" },
    { ...row([]), subject: "Lease" },
    { ...row([]), recipient: "Ben", subject: "Lease" },
  ]);
  expect(lines.map((line) => clientOf(line, "Nobody"))).toEqual(["Ada, Taxes", "Ada, Lease", "Ben"]);
});

test("the bar of a client is full when all that is asked for is there", () => {
  const documents = [document("A", { state: "accepted" }), document("B", { state: "hidden" })];
  const [line] = linesOf([row(documents, "completed")]);
  expect(line?.total).toMatchObject({ done: 1, asked: 1 });
  expect(line && barOf(line)).toStartWith("linear-gradient(to right, var(--good) 0% calc(100% - 1px)");
});
