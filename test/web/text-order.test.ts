import { expect, test } from "bun:test";
import { foldText, textKey } from "../../worker/contract/text-order";
import { createRandom } from "../support/random";

/** As a database sorts UTF-8. */
const inOrder = (texts: readonly string[]) =>
  texts.toSorted((one, other) => Buffer.compare(Buffer.from(textKey(one)), Buffer.from(textKey(other))));

test("texts are sorted without regard to case and accents, numbers by value, all else by code point", () => {
  const sorted = [
    "",
    " a",
    "(draft)",
    "2 plans",
    "10 plans",
    "A 2",
    "a 10",
    "Äpfel",
    "apfeln",
    "Zug",
    "東京",
    "🙂",
  ];
  expect(inOrder(sorted.toReversed())).toEqual(sorted);
});

test.each([
  ["MÜLLER", "muller"],
  ["Invoice 02", "invoice 2"],
  ["Ｔａｘ ２", "tax 2"],
  ["a00", "a0"],
  [`No. ${"0".repeat(500)}7`, "no. 7"],
])("%s is sorted like %s", (one, other) => expect(textKey(one)).toBe(textKey(other)));

test("numbers of any length are sorted by value", () => {
  const random = createRandom(45);
  const numbers = Array.from({ length: 300 }, () =>
    String(random.below(10)).repeat(1 + random.below(random.pick([3, 12, 120]))),
  );
  const byValue = numbers.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).map(BigInt);
  expect(inOrder(numbers).map(BigInt)).toEqual(byValue);
});

test("a folded text contains what was typed of it in any case, with or without accents", () => {
  for (const typed of ["crème", "CREME", "2024", "02", "brûlée 2"])
    expect(foldText("Crème Brûlée 2024-02")).toContain(foldText(typed));
});
