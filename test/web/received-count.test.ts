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
