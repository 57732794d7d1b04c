import { describe, expect, test } from "bun:test";
import {
  browserCountryCode,
  formatPhone,
  fromInternational,
  readPhone,
  toInternational,
} from "../../web/lib/phone";
import { toE164 } from "../../worker/contract/phone";

const US = { countryCode: "+1", phone: "" };

/** The displayed value and the stored value after these keys, typed one by one. */
function typed(keys: string, start = US) {
  let value = start;
  for (const key of keys) value = readPhone(formatPhone(value) + key, value);
  return value;
}

test("a number's country is the browser's region at first, and +1 for one that is not offered", () => {
  const languages = [
    "en-US",
    "en-CA",
    "en-GB",
    "de",
    "fr-FR",
    "ja",
    "zh-Hans-CN",
    "hi",
    "pt-BR",
    "de-AT",
    "C",
  ];
  expect(languages.map((language) => browserCountryCode(language)).join()).toBe(
    "+1,+1,+44,+49,+33,+81,+86,+91,+1,+1,+1",
  );
});

test("in a browser in US English, the time zone tells the country", () => {
  const zones = ["Europe/Berlin", "Asia/Calcutta", "Australia/Perth", "America/Chicago", "Europe/Madrid"];
  expect(zones.map((zone) => browserCountryCode("en-US", zone)).join()).toBe("+49,+91,+61,+1,+1");
  expect(browserCountryCode("en-GB", "Europe/Berlin")).toBe("+44");
});

describe("the phone mask of +1", () => {
  test.each([
    ["", ""],
    ["1", "(1"],
    ["123", "(123"],
    ["1234", "(123) 4"],
    ["123456", "(123) 456"],
    ["1234567", "(123) 456-7"],
    ["1234567890", "(123) 456-7890"],
    ["15123456789", "15123456789"],
  ])("%p is shown as %p", (phone, shown) => {
    expect(formatPhone({ countryCode: "+1", phone })).toBe(shown);
  });

  test("only ten digits are accepted", () => {
    expect(formatPhone(typed("555abc1234567"))).toBe("(555) 123-4567");
    expect(formatPhone(typed("55512345678"))).toBe("(555) 123-4567");
    expect(formatPhone(typed("12345678901"))).toBe("(123) 456-7890");
    expect(formatPhone(readPhone("1 555 123 4567", US))).toBe("(555) 123-4567");
  });

  test("pasted text is never truncated: it stays and is rejected", () => {
    const pasted = readPhone("(555) 123-4567 89", US);
    expect(pasted.phone).toBe("555123456789");
    expect(toE164(pasted.phone, "+1")).toBeNull();
  });
});

describe("a number without plus that begins with the chosen country code", () => {
  test.each([
    // Typed, code, and the number in E.164.
    ["491701234567", "+49", "+491701234567"],
    ["49 170 1234567", "+49", "+491701234567"],
    ["447700900123", "+44", "+447700900123"],
    ["33612345678", "+33", "+33612345678"],
    ["61412345678", "+61", "+61412345678"],
    ["819012345678", "+81", "+819012345678"],
    ["8613800138000", "+86", "+8613800138000"],
    ["919876543210", "+91", "+919876543210"],
    ["15551234567", "+1", "+15551234567"],
    // A mobile number in India that begins with 91.
    ["9198765432", "+91", "+919198765432"],
    // With their trunk prefix, they are national numbers.
    ["04911234567", "+49", "+494911234567"],
    ["49301234567", "+49", "+49301234567"],
    // Either a landline with its code or one in East Frisia, where numbers begin with 49.
    ["49212345678", "+49", null],
    ["48501234567", "+48", "+48501234567"],
    ["79161234567", "+7", "+79161234567"],
  ])("%s with %s is %p", (typed, countryCode, number) => {
    expect(toE164(typed, countryCode)).toBe(number);
    if (typed.length > 10 || countryCode !== "+1")
      expect(toE164(readPhone(typed, { countryCode, phone: "" }).phone, countryCode)).toBe(number);
  });
});

describe("digits of other scripts and invisible characters", () => {
  test.each([
    ["＋４９１７０１２３４５６７", "+49", "+491701234567"],
    ["٠١٧٠١٢٣٤٥٦٧", "+49", "+491701234567"],
    ["\u202a+49 170 1234567\u202c", "+1", "+491701234567"],
    ["९८७६५४३२१०", "+91", "+919876543210"],
  ])("%p with %s is %s", (typed, countryCode, number) => {
    expect(toE164(typed, countryCode)).toBe(number);
    const read = readPhone(typed, { countryCode, phone: "" });
    expect(toInternational(read.countryCode, read.phone)).toBe(number);
  });
});

describe("numbers of other countries", () => {
  test.each([
    ["+49", "015123456789", "01512 3456789", "+4915123456789"],
    ["+49", "15123456789", "1512 3456789", "+4915123456789"],
    ["+44", "2079460000", "20 7946 0000", "+442079460000"],
    ["+44", "07946000000", "07946 000000", "+447946000000"],
    ["+33", "0612345678", "06 12 34 56 78", "+33612345678"],
    ["+81", "09012345678", "090-1234-5678", "+819012345678"],
    ["+91", "9876543210", "98765 43210", "+919876543210"],
    ["+61", "0412345678", "0412 345 678", "+61412345678"],
    ["+86", "13800138000", "138 0013 8000", "+8613800138000"],
  ])("%s: %s is shown as %s and sent as %s", (countryCode, keys, shown, sent) => {
    const value = typed(keys, { countryCode, phone: "" });
    expect([value.countryCode, formatPhone(value)]).toEqual([countryCode, shown]);
    expect(toInternational(value.countryCode, value.phone)).toBe(sent);
  });

  test.each([
    ["+49 1512 3456789", "+1", "+49", "+4915123456789"],
    ["+49 (0) 1512 3456789", "+1", "+49", "+4915123456789"],
    ["0049 1512 3456789", "+1", "+49", "+4915123456789"],
    ["0049 1512 3456789", "+44", "+49", "+4915123456789"],
    ["+1 (555) 123-4567", "+49", "+1", "+15551234567"],
    ["+351 912 345 678", "+1", "+1", "+351912345678"],
  ])("%s, typed beside %s, sets the country to %s and is sent as %s", (text, before, after, sent) => {
    for (const value of [
      readPhone(text, { countryCode: before, phone: "" }),
      typed(text, { countryCode: before, phone: "" }),
    ]) {
      expect(value.countryCode).toBe(after);
      expect(toInternational(value.countryCode, value.phone)).toBe(sent);
    }
  });

  test("no number that is too long or too short for its country passes", () => {
    for (const [phone, country] of [
      ["061234", "+33"],
      ["06123456789", "+33"],
      ["079460000001", "+44"],
      ["12345", "+86"],
    ] as const)
      expect([phone, toE164(phone, country)]).toEqual([phone, null]);
  });

  test("every number typed in every country is sent in full or rejected, never truncated", () => {
    for (const countryCode of ["+1", "+44", "+61", "+33", "+49", "+81", "+86", "+91"])
      for (let length = 1; length <= 20; length++) {
        const keys = "2345678923456789234567".slice(0, length);
        const pasted = readPhone(keys, { countryCode, phone: "" });
        const sent = toE164(pasted.phone, pasted.countryCode);
        if (sent !== null) expect([keys, sent]).toEqual([keys, `${countryCode}${keys}`]);
      }
  });
});

describe("a stored number", () => {
  test.each([
    ["+15551234567", "+1", "5551234567"],
    ["+442079460000", "+44", "2079460000"],
    ["+49 1512 3456789", "+49", "15123456789"],
    ["0049 1512 3456789", "+49", "15123456789"],
    ["(555) 123-4567", "+1", "5551234567"],
    ["01512 3456789", "+1", "015123456789"],
    ["+351912345678", "+1", "+351912345678"],
    ["(555) 123-4567 ext. 89", "+1", "(555) 123-4567 ext. 89"],
  ])("%p is split into country code and number", (stored, countryCode, phone) => {
    expect(fromInternational(stored)).toEqual({ countryCode, phone });
  });

  test("without its country code is one of the browser's region", () => {
    const { countryCode, phone } = fromInternational("0171 2345600", browserCountryCode("de-DE"));
    expect(toE164(phone, countryCode)).toBe("+491712345600");
  });

  test("is rejected without its country code, not truncated", () => {
    const { countryCode, phone } = fromInternational("01512 3456789");
    expect(toE164(phone, countryCode)).toBeNull();
    expect(toE164(phone, "+49")).toBe("+4915123456789");
    expect(toE164("(555) 123-4567 ext. 89", "+1")).toBeNull();
  });
});
