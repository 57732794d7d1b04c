import type { Envelope } from "../envelopes.queries";
import type { Delivery, TimelineEntry, TimelineEvent } from "../timeline.queries";

type EventKind = TimelineEvent["kind"];
type MomentKind = Exclude<EventKind, "submitted"> | "completed";

type Whence = Pick<TimelineEvent, "actor" | "address">;

export type Moment =
  | (Omit<TimelineEvent, "kind" | "actor" | "address"> & { kind: MomentKind } & Partial<Whence>)
  | (Delivery & { overtaken: boolean });

/** Told by the envelope itself, and so shown before the rest has come. */
const FACTS: readonly EventKind[] = ["created", "sent", "submitted"];

/** The envelope's own moments among all that happened, oldest first. */
export function momentsOf(envelope: Envelope, entries: readonly TimelineEntry[]): Moment[] {
  const { createdAt, sentAt, completedAt, status } = envelope;
  const fact = (kind: MomentKind, at: string, noted: EventKind): Moment => ({
    kind,
    at,
    detail: null,
    ...whence(entries, noted),
  });
  const moments: Moment[] = [fact("created", createdAt, "created")];
  if (sentAt) moments.push(fact("sent", sentAt, "sent"));
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === "delivery")
      moments.push({ ...entry, overtaken: isOvertaken(entry, entries.slice(place + 1)) });
    else if (entry.kind !== "submitted" && !FACTS.includes(entry.kind))
      moments.push({ ...entry, kind: entry.kind });
  }
  if (status === "completed" && completedAt) moments.push(fact("completed", completedAt, "submitted"));
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Who did it and from where, once that has come. */
function whence(entries: readonly TimelineEntry[], kind: EventKind): Whence | undefined {
  for (const entry of entries) if (entry.kind === kind) return { actor: entry.actor, address: entry.address };
  return undefined;
}

/** Whether a later message took the same way, so that nothing needs to be done about this one. */
function isOvertaken({ channel, message }: Delivery, later: readonly TimelineEntry[]): boolean {
  return later.some(
    (other) =>
      other.kind === "delivery" &&
      other.channel === channel &&
      isForOwner(other.message) === isForOwner(message) &&
      (other.status === "sent" || (other.status === "queued" && !other.error)),
  );
}

/** Messages to the one who asked; all others go to the recipient. */
export function isForOwner(message: Delivery["message"]): boolean {
  return message === "submission" || message === "expired" || message === "infected";
}
