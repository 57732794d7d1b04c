import { describe, expect, test } from "bun:test";
import { whenDue } from "../../worker/features/envelope-rules/sending-times";
import { hourOfDay } from "../../worker/lib/zoned-days";

describe("the hour of sending", () => {
  test.each([
    ["UTC", "2026-11-01", 9, "2026-11-01T09:00"],
    ["Europe/Berlin", "2026-10-24", 9, "2026-10-24T07:00"],
    ["Europe/Berlin", "2026-10-25", 9, "2026-10-25T08:00"],
    // Two o'clock exists twice, and in March not at all.
    ["Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00"],
    ["Europe/Berlin", "2026-10-25", 3, "2026-10-25T02:00"],
    ["Europe/Berlin", "2027-03-28", 2, "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-03-28", 3, "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-03-28", 9, "2027-03-28T07:00"],
    ["America/New_York", "2026-10-31", 9, "2026-10-31T13:00"],
    ["America/New_York", "2026-11-01", 1, "2026-11-01T05:00"],
    ["America/New_York", "2026-11-01", 9, "2026-11-01T14:00"],
    ["America/New_York", "2027-03-14", 2, "2027-03-14T07:00"],
    ["America/New_York", "2027-03-14", 9, "2027-03-14T13:00"],
    // Its clocks change by half an hour.
    ["Australia/Lord_Howe", "2026-10-03", 9, "2026-10-02T22:30"],
    ["Australia/Lord_Howe", "2026-10-04", 2, "2026-10-03T15:30"],
    ["Australia/Lord_Howe", "2026-10-04", 9, "2026-10-03T22:00"],
    ["Australia/Lord_Howe", "2027-04-04", 1, "2027-04-03T14:00"],
    ["Australia/Lord_Howe", "2027-04-04", 2, "2027-04-03T15:30"],
    ["Asia/Kathmandu", "2027-01-01", 0, "2026-12-31T18:15"],
    ["Asia/Kathmandu", "2027-01-01", 9, "2027-01-01T03:15"],
  ])("in %s on %s at %p is %s in UTC", (timeZone, day, hour, expected) => {
    expect(hourOfDay(day, hour, timeZone).toISOString()).toBe(`${expected}:00.000Z`);
  });
});

describe("what was planned for Monday at 20:00 in Berlin", () => {
  const PLANNED = new Date("2026-11-30T19:00:00Z");
  test.each([
    ["2026-11-30T18:59:59Z", "waits until 2026-11-30T19:00"],
    ["2026-11-30T19:00:00Z", "is sent"],
    ["2026-11-30T20:00:00Z", "is sent"],
    ["2026-11-30T20:00:01Z", "waits until 2026-12-01T08:00"],
    ["2026-12-01T06:59:59Z", "waits until 2026-12-01T08:00"],
    ["2026-12-01T07:00:00Z", "is sent"],
    ["2026-12-01T16:59:59Z", "is sent"],
    ["2026-12-01T17:00:00Z", "waits until 2026-12-02T08:00"],
    ["2026-12-03T19:00:00Z", "waits until 2026-12-04T08:00"],
    ["2026-12-03T19:00:01Z", "is missed"],
  ])("at %s %s", (now, expected) => {
    const due = whenDue(PLANNED, new Date(now), "Europe/Berlin");
    const said =
      due.fate === "wait" ? `waits until ${due.until.toISOString().slice(0, 16)}` : `is ${due.fate}`;
    expect(said.replace("is send", "is sent")).toBe(expected);
  });
});
