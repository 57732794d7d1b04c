import { runBatch } from "../../db/client";
import { listDueReminders, setNextReminder } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { isExpired } from "../features/envelope-rules/envelope-dates";
import { isMorning, nextMorning, nextReminder } from "../features/envelope-rules/reminder-times";
import { queueForRecipient } from "../features/notifications/outbox";

const PAGE = 100;

type DueEnvelope = Awaited<ReturnType<typeof listDueReminders>>[number];

/** Queues the due reminders and schedules the next ones. Of several missed during downtime, one is sent. */
export async function queueReminders(deps: Dependencies): Promise<void> {
  const now = deps.clock.now();
  let after = 0;
  for (;;) {
    const page = await listDueReminders(deps.db, now.toISOString(), { after, limit: PAGE });
    for (const envelope of page) {
      after = envelope.id;
      await remind(deps, envelope, now).catch((error: unknown) =>
        deps.log.error("reminder not queued", { envelopeId: envelope.id, error: causes(error) }),
      );
    }
    if (page.length < PAGE) return;
  }
}

/**
 * The reminder's key contains its due time, so that it is queued once by any number of processes. One that was missed,
 * or became due at another hour because the requestor's time zone changed, waits for the next morning.
 */
async function remind({ db }: Dependencies, envelope: DueEnvelope, now: Date): Promise<void> {
  const { id, sentAt, reminderFrequency, nextReminderAt, ownerTimeZone: timeZone } = envelope;
  if (!nextReminderAt) return;
  const open = sentAt !== null && !isExpired(envelope, now);
  if (open && !isMorning(now, timeZone)) {
    const morning = nextMorning(now, timeZone).toISOString();
    return runBatch(db, [setNextReminder(db, id, nextReminderAt, morning)]);
  }
  const next = open ? nextReminder(new Date(sentAt), reminderFrequency, now, timeZone) : null;
  const dedupeKey = `reminder:${id}:${nextReminderAt}`;
  const message = { kind: "reminder", createdAt: now.toISOString(), dedupeKey } as const;
  await runBatch(db, [
    ...(open && next ? queueForRecipient(db, envelope, message) : []),
    setNextReminder(db, id, nextReminderAt, next?.toISOString() ?? null),
  ]);
}
