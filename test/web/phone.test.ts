import { describe, expect, test } from "bun:test";
import { formatPhone, fromInternational, phoneDigits, toInternational } from "../../web/lib/phone";
import { PHONE_PATTERN } from "../../worker/contract/patterns";

describe("the phone mask", () => {
  test.each([
    ["", ""],
    ["1", "(1"],
    ["123", "(123"],
    ["1234", "(123) 4"],
    ["123456", "(123) 456"],
    ["1234567", "(123) 456-7"],
    ["1234567890", "(123) 456-7890"],
    ["15123456789", "15123456789"],
  ])("%p is shown as %p", (digits, shown) => {
    expect(formatPhone(digits)).toBe(shown);
  });

  test("only digits count, at most ten", () => {
    expect(phoneDigits("(555) 123-4567 ext. 89")).toBe("5551234567");
    expect(phoneDigits("abc")).toBe("");
  });
});

describe("country code and number", () => {
  test.each([
    ["+1", "5551234567", "+15551234567"],
    ["+44", "07946000000", "+447946000000"],
    ["+1", "", ""],
  ])("%p and %p are sent as %p", (code, digits, sent) => {
    expect(toInternational(code, digits)).toBe(sent);
    if (sent) expect(sent).toMatch(PHONE_PATTERN);
  });

  test.each([
    ["+15551234567", "+1", "5551234567"],
    ["+442079460000", "+44", "2079460000"],
    ["+4915123456789", "+49", "15123456789"],
    ["(555) 123-4567", "+1", "5551234567"],
    ["+351912345678", "+1", "351912345678"],
  ])("a stored %p is taken apart", (stored, countryCode, digits) => {
    expect(fromInternational(stored)).toEqual({ countryCode, digits });
  });
});
