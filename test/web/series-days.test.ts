import { describe, expect, test } from "bun:test";
import { unnamed } from "../../web/features/envelopes/several/schedule";
import { occurrenceDay, type SeriesDays, upcomingDays } from "../../worker/contract/series-days";
import { timeOn } from "../../worker/features/series/series.service";

const SERIES: SeriesDays = {
  ...{ every: 1, unit: "month", startOn: "2026-01-31", startNumber: 1 },
  ...{ weekend: "same", endOn: null, times: null },
};
const daysOf = (series: Partial<SeriesDays>, count = 13) => upcomingDays({ ...SERIES, ...series }, 1, count);

const TABLE: [string, Partial<SeriesDays>, string][] = [
  [
    "a month's last day",
    {},
    "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-30 2026-12-31 2027-01-31",
  ],
  ["each quarter from the 30th", { every: 3, startOn: "2026-11-30" }, "2026-11-30 2027-02-28 2027-05-30"],
  [
    "29 February each year",
    { unit: "year", startOn: "2028-02-29" },
    "2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29",
  ],
  [
    "every second week",
    { every: 2, unit: "week", startOn: "2026-12-24" },
    "2026-12-24 2027-01-07 2027-01-21",
  ],
  [
    "Friday before a weekend",
    { weekend: "before" },
    "2026-01-30 2026-02-27 2026-03-31 2026-04-30 2026-05-29",
  ],
  ["Monday after a weekend", { weekend: "after" }, "2026-02-02 2026-03-02 2026-03-31 2026-04-30 2026-06-01"],
  ["until a day", { endOn: "2026-03-30" }, "2026-01-31 2026-02-28"],
  // 28 February is a Saturday: compared is the day before weekends are applied.
  ["until a day before the Monday", { endOn: "2026-02-28", weekend: "after" }, "2026-02-02 2026-03-02"],
  ["three times", { times: 3 }, "2026-01-31 2026-02-28 2026-03-31"],
  ["new days, the fourth of which is the next", { startNumber: -2 }, "2026-04-30 2026-05-31 2026-06-30"],
];

describe("the days of a series are counted from the first one", () => {
  test.each(TABLE)("%s", (_, series, days) => {
    const expected = days.split(" ");
    const hasEnd = series.endOn != null || series.times != null;
    expect(daysOf(series, hasEnd ? undefined : expected.length)).toEqual(expected);
  });
});

/** By the hour of the day at which it is sent, the days of a series and the times in UTC, written by hand. */
const ZONES: Record<string, string> = {
  "Europe/Berlin":
    "01-31T08:00 02-28T08:00 03-31T07:00 04-30T07:00 05-31T07:00 06-30T07:00 07-31T07:00 08-31T07:00 09-30T07:00 10-31T08:00 11-30T08:00 12-31T08:00",
  "America/New_York":
    "01-31T14:00 02-28T14:00 03-31T13:00 04-30T13:00 05-31T13:00 06-30T13:00 07-31T13:00 08-31T13:00 09-30T13:00 10-31T13:00 11-30T14:00 12-31T14:00",
  "Australia/Lord_Howe":
    "01-30T22:00 02-27T22:00 03-30T22:00 04-29T22:30 05-30T22:30 06-29T22:30 07-30T22:30 08-30T22:30 09-29T22:30 10-30T22:00 11-29T22:00 12-30T22:00",
  "Asia/Kathmandu":
    "01-31T03:15 02-28T03:15 03-31T03:15 04-30T03:15 05-31T03:15 06-30T03:15 07-31T03:15 08-31T03:15 09-30T03:15 10-31T03:15 11-30T03:15 12-31T03:15",
  UTC: "01-31T09:00 02-28T09:00 03-31T09:00 04-30T09:00 05-31T09:00 06-30T09:00 07-31T09:00 08-31T09:00 09-30T09:00 10-31T09:00 11-30T09:00 12-31T09:00",
};

const HOUR = 60 * 60 * 1000;

test.each(Object.entries(ZONES))(
  "nine o'clock stays nine o'clock over 13 months, hour by hour: %s",
  (zone, times) => {
    const due: string[] = [];
    let number = 1;
    for (let now = Date.parse("2026-01-01T00:00Z"); now < Date.parse("2027-01-30T00:00Z"); now += HOUR) {
      const day = occurrenceDay(SERIES, number) ?? "";
      const at = timeOn(day, { sendHour: 9 }, zone);
      if (at.getTime() > now) continue;
      expect(now - at.getTime()).toBeLessThan(HOUR);
      due.push(at.toISOString().slice(5, 16));
      number += 1;
    }
    expect(due).toEqual(times.split(" "));
  },
);

test.each([
  ["Europe/Berlin", "2026-03-29", 2, "2026-03-29T01:00"],
  ["Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00"],
  ["America/New_York", "2026-03-08", 2, "2026-03-08T07:00"],
  ["America/New_York", "2026-11-01", 1, "2026-11-01T05:00"],
  ["Australia/Lord_Howe", "2026-10-04", 2, "2026-10-03T15:30"],
  ["Australia/Lord_Howe", "2026-04-05", 2, "2026-04-04T15:30"],
])(
  "an hour that does not exist is the next one, and one that exists twice is the first: %s, %s",
  (zone, day, sendHour, at) => {
    expect(timeOn(day, { sendHour }, zone).toISOString().slice(0, 16)).toBe(at);
  },
);

test("a series without a name is called by its subject, which does not end with a preposition", () => {
  expect(["Statements for {lastMonth}", "For {month}: papers"].map(unnamed)).toEqual([
    "Statements for …",
    "For …: papers",
  ]);
});
