import type { Envelope } from "../envelopes.queries";
import type { Delivery, TimelineEntry, TimelineEvent } from "../timeline.queries";

type EventKind = TimelineEvent["kind"];
type MomentKind = Exclude<EventKind, "submitted"> | "completed";

export type Moment =
  | { kind: MomentKind; at: string; detail: string | null }
  | (Delivery & { overtaken: boolean });

/** Told by the envelope itself, and so shown before the rest has come. */
const FACTS: readonly EventKind[] = ["created", "sent", "submitted"];

/** The envelope's own moments among all that happened, oldest first. */
export function momentsOf(envelope: Envelope, entries: readonly TimelineEntry[]): Moment[] {
  const { createdAt, sentAt, completedAt, status } = envelope;
  const moments: Moment[] = [{ kind: "created", at: createdAt, detail: null }];
  if (sentAt) moments.push({ kind: "sent", at: sentAt, detail: null });
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === "delivery")
      moments.push({ ...entry, overtaken: isOvertaken(entry, entries.slice(place + 1)) });
    else if (entry.kind !== "submitted" && !FACTS.includes(entry.kind))
      moments.push({ ...entry, kind: entry.kind });
  }
  if (status === "completed" && completedAt)
    moments.push({ kind: "completed", at: completedAt, detail: null });
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
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
  return message === "submission" || message === "expired";
}
