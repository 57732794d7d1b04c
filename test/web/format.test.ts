import { describe, expect, test } from "bun:test";
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatHour,
  formatNumber,
  formatPercent,
  formatRelative,
  isJustNow,
  megabytes,
  regionalLocale,
} from "../../web/lib/format";
import { writeNumber } from "../../web/lib/typed-number";
import { scaleBytes } from "../../worker/contract/files";

describe("sizes", () => {
  test.each([
    [0, 0, "bytes"],
    [1, 1, "bytes"],
    [1023, 1023, "bytes"],
    [1024, 1, "kb"],
    [1536, 1.5, "kb"],
    [1024 ** 2, 1, "mb"],
    [1024 ** 3, 1, "gb"],
    [1024 ** 4, 1024, "gb"],
    [-5, 0, "bytes"],
  ] as const)("%d bytes are %d %s", (bytes, value, unit) => {
    expect(scaleBytes(bytes)).toEqual({ value, unit });
  });

  test("megabytes always have two decimals", () => {
    expect(megabytes(0, "en")).toBe("0.00");
    expect(megabytes(1_834_234, "en")).toBe("1.75");
    expect(megabytes(1_834_234, "de")).toBe("1,75");
  });

  test("numbers follow the language", () => {
    expect(formatNumber(1234.5, "en")).toBe("1,234.5");
    expect(formatNumber(1234.5, "de")).toBe("1.234,5");
  });
});

describe("dates", () => {
  test("the visitor's regional variety of the language decides the order", () => {
    expect(regionalLocale("en", ["fr-CA", "en-GB"])).toBe("en-GB");
    expect(regionalLocale("de", ["en-GB"])).toBe("de");
    expect(regionalLocale("en", ["en-US@posix", "en-US.UTF-8", "en_US", "en-", "en-IE"])).toBe("en-IE");
    expect(regionalLocale("de", ["de-DE@euro", "", "fr-FR@latin"])).toBe("de");
    expect(regionalLocale("fr", [])).toBe("fr");
    expect(formatDate("2026-12-03T12:00:00Z", "en-GB")).toBe("3 Dec 2026");
    expect(formatDate("2026-12-03T12:00:00Z", "en-US")).toBe("Dec 3, 2026");
  });

  test.each(["en-US", "en-GB", "de", "fr", "es", "pt", "zh", "ja"])(
    "a date and time in %s begins with the date as it reads alone",
    (locale) => {
      const noon = "2026-12-03T12:00:00Z";
      expect(formatDateTime(noon, locale)).toStartWith(formatDate(noon, locale));
      expect(formatDateTime(noon, locale)).toMatch(/\d\d?:00/);
    },
  );

  test("a percentage does not break before its sign", () => {
    expect(formatPercent(0.29, "en")).toBe("29%");
    for (const locale of ["de", "es", "fr"])
      expect(formatPercent(0.29, locale)).toMatch(/^29[\u00a0\u202f]%$/);
  });

  test("a calendar day is never moved by the time zone", () => {
    const now = new Date("2026-05-01T00:00:00Z");
    expect(formatDay("2026-12-03", "en-GB", now)).toBe("3 Dec");
    expect(formatDay("2026-12-03T00:00:00.000Z", "en-GB", now)).toBe("3 Dec");
    expect(formatDay("2027-01-01", "en-GB", now)).toBe("1 Jan 2027");
  });

  test("times within a week are relative", () => {
    const now = Date.parse("2026-05-10T12:00:00Z");
    const at = (iso: string) => formatRelative(iso, "en-GB", now);
    expect(at("2026-05-10T11:59:50Z")).toBe("now");
    expect(["11:59:01", "12:00:30", "11:59:00"].map((time) => isJustNow(`2026-05-10T${time}Z`, now))).toEqual(
      [true, true, false],
    );
    expect(at("2026-05-10T11:55:00Z")).toBe("5 minutes ago");
    expect(formatRelative("2026-05-10T11:52:00Z", "en-GB", now, "short")).toBe("8 min ago");
    expect(at("2026-05-10T09:00:00Z")).toBe("3 hours ago");
    expect(at("2026-05-09T12:00:00Z")).toBe("yesterday");
    expect(at("2026-04-01T12:00:00Z")).toBe("1 Apr 2026");
  });
});

test.each([
  ["1234.50", "de-DE", "1.234,50"],
  ["999999999999999.123456", "en-US", "999,999,999,999,999.123456"],
  ["-0.5", "fr-FR", "-0,5"],
])("an answer of %s keeps its digits in %s", (decimal, locale, shown) => {
  expect(writeNumber(decimal, locale)).toBe(shown);
});

test("a time of which only the hour is recorded is shown as that hour", () => {
  const hour = (locale: string) => formatHour("2026-12-03T14:00:00Z", locale).replaceAll(/\s/g, " ");
  expect(hour("en-GB")).toBe("3 Dec 2026, 14:00–15:00");
  expect(hour("de")).toBe("3. Dez. 2026, 14:00–15:00 Uhr");
});
