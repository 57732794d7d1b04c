import type { Envelope } from "../envelopes.queries";
import type { Delivery, TimelineEntry, TimelineEvent } from "../timeline.queries";

type EventKind = TimelineEvent["kind"];
type RowKind = Exclude<EventKind, "submitted"> | "completed";

type Origin = Pick<TimelineEvent, "actor" | "address">;

export type TimelineRow =
  | (Omit<TimelineEvent, "kind" | "actor" | "address"> & { kind: RowKind } & Partial<Origin>)
  | (Delivery & { superseded: boolean });

/** Known from the envelope itself, so shown before the timeline is loaded. */
const FACTS: readonly EventKind[] = ["created", "sent", "submitted"];

/** The rows of the timeline, oldest first: the envelope's own dates and its recorded events. */
export function timelineRows(envelope: Envelope, entries: readonly TimelineEntry[]): TimelineRow[] {
  const { createdAt, sentAt, completedAt, status } = envelope;
  const fact = (kind: RowKind, at: string, eventKind: EventKind): TimelineRow => ({
    kind,
    at,
    detail: null,
    ...originOf(entries, eventKind),
  });
  const rows: TimelineRow[] = [fact("created", createdAt, "created")];
  if (sentAt) rows.push(fact("sent", sentAt, "sent"));
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "delivery")
      rows.push({ ...entry, superseded: isSuperseded(entry, entries.slice(index + 1)) });
    else if (entry.kind !== "submitted" && !FACTS.includes(entry.kind))
      rows.push({ ...entry, kind: entry.kind });
  }
  if (status === "completed" && completedAt) rows.push(fact("completed", completedAt, "submitted"));
  return rows.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Who did it and from which address, once the timeline is loaded. */
function originOf(entries: readonly TimelineEntry[], kind: EventKind): Origin | undefined {
  for (const entry of entries) if (entry.kind === kind) return { actor: entry.actor, address: entry.address };
  return undefined;
}

/** Whether a later message was delivered over the same channel, so that this one needs no action. */
function isSuperseded({ channel, message }: Delivery, later: readonly TimelineEntry[]): boolean {
  return later.some(
    (other) =>
      other.kind === "delivery" &&
      other.channel === channel &&
      isForOwner(other.message) === isForOwner(message) &&
      (other.status === "sent" || (other.status === "queued" && !other.error)),
  );
}

/** Whether the message is for the requestor; all others are for the recipient. */
export function isForOwner(message: Delivery["message"]): boolean {
  return message === "submission" || message === "expired" || message === "infected";
}
