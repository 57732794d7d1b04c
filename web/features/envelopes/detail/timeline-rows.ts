import { type EnvelopeEventKind, REQUEST_EVENTS } from "../../../../worker/contract/envelope-events";
import { isForAccount, NOTIFICATION_KINDS } from "../../../../worker/contract/notifications";
import type { Envelope } from "../envelopes.queries";
import type { Delivery, TimelineEntry, TimelineEvent } from "../timeline.queries";

/** `completed` is the last submission of a completed envelope; `submitted` and `resubmitted` are those before. */
export type RowKind = EnvelopeEventKind | "completed" | "resubmitted";
export type TimelineMessage = Delivery & { superseded: boolean };

/** An event, with the messages that were sent because of it. */
export type TimelineRow = Pick<TimelineEvent, "at" | "detail"> &
  Partial<Pick<TimelineEvent, "actor" | "address" | "name">> & {
    kind: RowKind;
    messages: TimelineMessage[];
    /** The envelope was completed by a new submission of returned documents. */
    again?: boolean;
  };

/** Known from the envelope itself, so shown before the timeline is loaded. */
const FACTS: readonly EnvelopeEventKind[] = ["created", "sent", "submitted"];

/** The rows of the timeline, oldest first: the envelope's own dates and its recorded events. */
export function timelineRows(envelope: Envelope, entries: readonly TimelineEntry[]): TimelineRow[] {
  const { createdAt, sentAt, status, expiresAt } = envelope;
  const events = entries.filter((entry) => entry.kind !== "delivery");
  const fact = (kind: "created" | "sent", at: string): TimelineRow => ({
    ...events.find((event) => event.kind === kind),
    kind,
    at,
    detail: null,
    messages: [],
  });
  // Of those in earlier bulk sends, the creation was dated some milliseconds after the sending.
  const rows: TimelineRow[] = [fact("created", sentAt && sentAt < createdAt ? sentAt : createdAt)];
  if (sentAt) rows.push(fact("sent", sentAt));
  for (const event of events)
    if (event.kind !== "submitted" && !FACTS.includes(event.kind))
      rows.push({ ...event, kind: event.kind, messages: [] });
  rows.push(...submissionRows(envelope, events));
  const lastEnd = rows.findLast(({ kind }) => kind === "expired" || kind === "extended");
  // The expiry is recorded some time later.
  if (status === "expired" && expiresAt && lastEnd?.kind !== "expired")
    rows.push({ kind: "expired", at: expiresAt, detail: null, messages: [] });
  rows.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  for (const [index, entry] of entries.entries())
    if (entry.kind === "delivery")
      causeOf(entry, rows)?.messages.push({
        ...entry,
        superseded: isSuperseded(entry, entries.slice(index + 1)),
      });
  return rows;
}

/** One row per submission; the last is the completion, while the envelope is completed. */
function submissionRows({ status, completedAt }: Envelope, events: readonly TimelineEvent[]): TimelineRow[] {
  const submitted = events.filter(({ kind }) => kind === "submitted");
  const completed = status === "completed" ? completedAt : null;
  // Not loaded yet, or from before events were recorded.
  if (submitted.length === 0)
    return completed ? [{ kind: "completed", at: completed, detail: null, messages: [] }] : [];
  return submitted.map((event, index): TimelineRow => {
    if (completed && index === submitted.length - 1)
      return { ...event, kind: "completed", at: completed, messages: [], again: index > 0 };
    return { ...event, kind: index === 0 ? "submitted" : "resubmitted", messages: [] };
  });
}

/** The event that a row shows. */
const eventOf = (kind: RowKind): EnvelopeEventKind =>
  kind === "completed" || kind === "resubmitted" ? "submitted" : kind;

/** The last event before the message that it may be about. A draft's message may have no such event. */
function causeOf({ message, at }: Delivery, rows: TimelineRow[]): TimelineRow | undefined {
  const before = rows.filter((row) => Date.parse(row.at) <= Date.parse(at));
  const lastOf = (kinds: readonly EnvelopeEventKind[]) =>
    before.findLast(({ kind }) => kinds.includes(eventOf(kind)));
  return lastOf(NOTIFICATION_KINDS[message].timeline) ?? lastOf(REQUEST_EVENTS) ?? rows[0];
}

/** Whether a later message was delivered over the same channel, so that this one needs no action. */
function isSuperseded({ channel, message }: Delivery, later: readonly TimelineEntry[]): boolean {
  return later.some(
    (other) =>
      other.kind === "delivery" &&
      other.channel === channel &&
      isForAccount(other.message) === isForAccount(message) &&
      (other.status === "sent" || (other.status === "queued" && !other.error)),
  );
}

/** Whether the message was not delivered so far, and no later one was. */
export function isUndelivered({ status, error, superseded }: TimelineMessage): boolean {
  return !superseded && (status === "failed" || (status === "queued" && error !== null));
}
