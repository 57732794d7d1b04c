import { expect, test } from "bun:test";
import { receivedCount } from "../../web/features/envelopes/envelope";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";

test("a document that is asked for again does not count as received", () => {
  const states = ["accepted", "received", "returned", "open"] as const;
  const documents = states.map((state) => ({ name: state, state })) as Envelope["documents"];
  const submissions = ["accepted", "received", "returned"].map((documentName) => ({
    documentName,
  })) as Envelope["submissions"];
  expect(receivedCount({ documents, submissions })).toBe(2);
});

test("an answer to a question counts as received, unless it is asked for again", () => {
  const documents = (["received", "returned", "open"] as const).map((state) => ({
    ...{ name: state, state, kind: "text" as const, answered: state !== "open" },
  })) as Envelope["documents"];
  expect(receivedCount({ documents, submissions: [] })).toBe(1);
});
