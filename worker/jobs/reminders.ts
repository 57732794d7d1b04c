import { runBatch } from "../../db/client";
import { listDueReminders, setNextReminder } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { isExpired } from "../features/envelopes/envelope-view";
import { queueForRecipient } from "../features/notifications/outbox";
import { nextReminder } from "../lib/reminder-times";

const BATCH = 100;

/**
 * Queues a reminder for each envelope that is due for one, and sets when the next one is. The reminder's key
 * names the moment it was due at, so that it is queued once whatever the number of processes; periods that
 * were missed while nothing ran are not made up for.
 */
export async function queueReminders({ db, clock }: Dependencies): Promise<void> {
  for (;;) {
    const now = clock.now();
    const due = await listDueReminders(db, now.toISOString(), BATCH);
    for (const request of due) {
      const { id, sentAt, reminderFrequency, nextReminderAt } = request;
      if (!nextReminderAt || !sentAt) continue;
      const open = !isExpired(request, now);
      const next = open ? nextReminder(new Date(sentAt), reminderFrequency, now) : null;
      const message = {
        kind: "reminder",
        createdAt: now.toISOString(),
        dedupeKey: `reminder:${id}:${nextReminderAt}`,
      } as const;
      await runBatch(db, [
        ...(open ? queueForRecipient(db, request, message) : []),
        setNextReminder(db, id, nextReminderAt, next?.toISOString() ?? null),
      ]);
    }
    if (due.length < BATCH) return;
  }
}
