import { expect, test } from "bun:test";
import { bestFirst, foundParts } from "../../web/features/search/found-texts";

test.each([
  ["Jürgen Müller", "mueller", ["Jürgen ", "Müller"]],
  ["Juergen Mueller", "MÜLLER", ["Juergen ", "Mueller"]],
  ["Łukasz O’Neill", "lu o'n", ["", "Łu", "kasz ", "O’N", "eill"]],
  ["Straße 7", "strasse 7", ["", "Straße", " ", "7"]],
  ["🙂 Tax tax", "tax", ["🙂 ", "Tax", " ", "tax"]],
  ["aaaa", "aa a", ["", "aaaa"]],
  ["Cafe\u0301", "café", ["", "Café"]],
  ["Papers", "tax", ["Papers"]],
  ["Papers", "", ["Papers"]],
])("in %p, %p is marked in whatever spelling", (text, typed, parts) =>
  expect(foundParts(text, typed)).toEqual(parts),
);

test("what begins with the words as they were typed comes first, then what has them, and other spellings last", () => {
  const names = ["Ingrid Richter", "Karl Müller", "Zmueller", "Ann Mueller-Koch", "Eva Muller"];
  expect(bestFirst(names, "mueller", (name) => name)).toEqual([
    "Ann Mueller-Koch",
    "Zmueller",
    "Karl Müller",
    "Eva Muller",
    "Ingrid Richter",
  ]);
  expect(bestFirst(names, "koch ann", (name) => name)[0]).toBe("Ann Mueller-Koch");
});
