import { runBatch } from "../../db/client";
import { listDueReminders, setNextReminder } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { queueForRecipient } from "../features/notifications/outbox";
import { isExpired } from "../lib/expiration";
import { nextReminder } from "../lib/reminder-times";

const PAGE = 100;

type DueEnvelope = Awaited<ReturnType<typeof listDueReminders>>[number];

/** Queues the due reminders and schedules the next ones. Periods missed during downtime are skipped. */
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

/** The reminder's key contains its due time, so that it is queued once by any number of processes. */
async function remind({ db }: Dependencies, envelope: DueEnvelope, now: Date): Promise<void> {
  const { id, sentAt, reminderFrequency, nextReminderAt } = envelope;
  if (!nextReminderAt) return;
  const open = sentAt !== null && !isExpired(envelope, now);
  const next = open ? nextReminder(new Date(sentAt), reminderFrequency, now) : null;
  const dedupeKey = `reminder:${id}:${nextReminderAt}`;
  const message = { kind: "reminder", createdAt: now.toISOString(), dedupeKey } as const;
  await runBatch(db, [
    ...(open && next ? queueForRecipient(db, envelope, message) : []),
    setNextReminder(db, id, nextReminderAt, next?.toISOString() ?? null),
  ]);
}
