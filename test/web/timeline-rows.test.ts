import { expect, test } from "bun:test";
import { timelineRows } from "../../web/features/envelopes/detail/timeline-rows";

type Envelope = Parameters<typeof timelineRows>[0];
type Entry = Parameters<typeof timelineRows>[1][number];

const at = (day: number) => `2026-03-${String(day).padStart(2, "0")}T10:00:00.000Z`;
const envelope = (changes: object) =>
  ({ createdAt: at(1), sentAt: at(1), completedAt: null, status: "pending", ...changes }) as Envelope;
const event = (kind: string, day: number, detail: string | null = null) =>
  ({ kind, at: at(day), detail, actor: "recipient", address: "192.0.2.1" }) as Entry;
const message = (name: string, day: number, changes: object = {}) =>
  ({
    kind: "delivery",
    message: name,
    at: at(day),
    channel: "email",
    recipient: "rita@example.com",
    status: "sent",
    error: null,
    notificationId: day,
    ...changes,
  }) as Entry;
const summaries = (rows: ReturnType<typeof timelineRows>) =>
  rows.map(({ kind, messages }) => [kind, ...messages.map((one) => one.message)]);

test("each row names who of the workspace acted", () => {
  const sent = { ...event("sent", 1), actor: "requestor", name: "Max" } as Entry;
  const extended = { ...event("extended", 2), actor: "requestor", name: "Ada" } as Entry;
  const rows = timelineRows(envelope({}), [sent, extended]);
  expect(rows.map(({ kind, name }) => [kind, name])).toEqual([
    ["created", undefined],
    ["sent", "Max"],
    ["extended", "Ada"],
  ]);
});

test("the creation is first, also of an envelope that is dated as sent just before it", () => {
  const rows = timelineRows(envelope({ createdAt: "2026-03-01T10:00:00.004Z" }), [event("sent", 1)]);
  expect(rows.map(({ kind }) => kind)).toEqual(["created", "sent"]);
});

test("each message is under the event it is about", () => {
  const entries = [
    ...[event("created", 1), event("sent", 1), message("invitation", 1), event("opened", 2)],
    ...[message("reminder", 3), event("submitted", 4), message("submission", 4), message("receipt", 4)],
    ...[event("downloaded", 5), event("returned", 6), event("returned", 6, "Letter"), message("returned", 6)],
  ];
  expect(summaries(timelineRows(envelope({ completedAt: at(4) }), entries))).toEqual([
    ["created"],
    ["sent", "invitation", "reminder"],
    ["opened"],
    ["submitted", "submission", "receipt"],
    ["downloaded"],
    ["returned"],
    ["returned", "returned"],
  ]);
});

test("a message about an unrecorded event is under the last request", () => {
  const entries = [event("created", 1), message("update", 2)];
  expect(summaries(timelineRows(envelope({}), entries))).toEqual([["created"], ["sent", "update"]]);
});

test("each submission has a row; the last is the completion", () => {
  const entries = [event("submitted", 4), event("returned", 5), event("submitted", 6)];
  const rows = timelineRows(envelope({ status: "completed", completedAt: at(6) }), entries);
  expect(rows.map(({ kind, again }) => [kind, again])).toEqual([
    ["created", undefined],
    ["sent", undefined],
    ["submitted", undefined],
    ["returned", undefined],
    ["completed", true],
  ]);
  const open = timelineRows(envelope({ completedAt: at(6) }), [...entries, event("returned", 7)]);
  expect(open.map(({ kind }): string => kind).slice(2)).toEqual([
    ...["submitted", "returned", "resubmitted", "returned"],
  ]);
});

test("an envelope older than the events uses its own dates", () => {
  const rows = timelineRows(envelope({ status: "completed", completedAt: at(4) }), []);
  expect(rows.map(({ kind }) => kind)).toEqual(["created", "sent", "completed"]);
});

test("a message that failed counts as superseded once a later one was delivered", () => {
  const failed = message("invitation", 1, { status: "failed", error: "refused" });
  const superseded = (entries: Entry[]) => timelineRows(envelope({}), entries)[1]?.messages[0]?.superseded;
  expect(superseded([failed])).toBe(false);
  expect(superseded([failed, message("update", 2)])).toBe(true);
});
