import { expect, test } from "bun:test";
import { parseShown } from "../../web/lib/shown-address";
import { normalizeAddress } from "../../worker/contract/patterns";

test.each(["info@müller-söhne.de", "a.b+c@mail.bücher.example", "user@例え.jp", "ada@example.com"])(
  "%s is shown as it was typed",
  (address) => {
    const text = JSON.stringify([{ email: normalizeAddress(address), notes: "xn--kept" }]);
    expect(parseShown(text)).toEqual([{ email: address, notes: "xn--kept" }]);
  },
);

test("what only looks like an international address stays", () => {
  const values = ["xn--mller-kva.de", "see info@xn--mller-kva.de", "a@xn--", "a@xn--\u00e4.de", "xn--a@b.de"];
  expect(parseShown(JSON.stringify(values))).toEqual(values);
});
