import { runBatch } from "../../db/client";
import { listDueReminders, setNextReminder } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { isExpired } from "../features/envelope-rules/envelope-dates";
import { dueReminder, nextMorning, nextReminder } from "../features/envelope-rules/reminder-times";
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

/** The reminder's key contains its due time, so that it is queued once by any number of processes. */
async function remind({ db }: Dependencies, envelope: DueEnvelope, now: Date): Promise<void> {
  const { id, sentAt, nextReminderAt, ownerTimeZone: timeZone } = envelope;
  if (!nextReminderAt) return;
  if (sentAt === null || isExpired(envelope, now))
    return runBatch(db, [setNextReminder(db, id, nextReminderAt, null)]);
  const plan = { ...envelope, sentAt: new Date(sentAt) };
  const fate = dueReminder(plan, new Date(nextReminderAt), now, timeZone);
  const next = fate === "wait" ? nextMorning(now, timeZone) : nextReminder(plan, now, timeZone);
  const dedupeKey = `reminder:${id}:${nextReminderAt}`;
  const message = { kind: "reminder", createdAt: now.toISOString(), dedupeKey } as const;
  await runBatch(db, [
    ...(fate === "send" ? queueForRecipient(db, envelope, message) : []),
    setNextReminder(db, id, nextReminderAt, next?.toISOString() ?? null),
  ]);
}
