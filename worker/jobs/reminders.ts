import { type Database, runBatch, type Statement } from "../../db/client";
import { deleteWaitingReminders } from "../../db/queries/notifications";
import { listDueReminders, setNextReminder } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { isExpired } from "../features/envelope-rules/envelope-dates";
import { dueReminder, nextMorning, nextReminder } from "../features/envelope-rules/reminder-times";
import { queueForRecipient } from "../features/notifications/outbox";
import { workInParts } from "./in-parts";

/** Reminders queued by one batch. A longer one would delay other requests. */
const PAGE = 25;
/** Of a Worker's run, for sending. Thousands are queued before; the next run continues. */
const LEAVES_CALLS = 800;

type DueEnvelope = Awaited<ReturnType<typeof listDueReminders>>[number];

/** Queues the due reminders and schedules the next ones. Of several missed during downtime, one is sent. */
export async function queueReminders(deps: Dependencies): Promise<void> {
  const { db, log, runLimits } = deps;
  const now = deps.clock.now();
  let after: Parameters<typeof listDueReminders>[2]["after"];
  await workInParts(deps, {
    name: "reminders",
    async part() {
      const page = await listDueReminders(db, now.toISOString(), { after, limit: PAGE });
      try {
        await queueAll(deps, page, now);
      } catch {
        // One envelope's failure must not stop the others.
        for (const envelope of page)
          await queueAll(deps, [envelope], now).catch((error: unknown) =>
            log.error("reminder not queued", { envelopeId: envelope.id, error: causes(error) }),
          );
      }
      after = page.at(-1);
      return page.length === PAGE && !(runLimits && runLimits.callsLeft() <= LEAVES_CALLS);
    },
    pauses: 1,
    workerParts: Number.POSITIVE_INFINITY,
  });
}

const queueAll = ({ db }: Dependencies, envelopes: readonly DueEnvelope[], now: Date) =>
  runBatch(
    db,
    envelopes.flatMap((envelope) => remind(db, envelope, now)),
  );

/** The reminder's key contains its due time, so that it is queued once by any number of processes. */
function remind(db: Database, envelope: DueEnvelope, now: Date): Statement[] {
  const { id, sentAt, nextReminderAt, ownerTimeZone: timeZone } = envelope;
  if (!nextReminderAt) return [];
  if (sentAt === null || isExpired(envelope, now))
    return [setNextReminder(db, { id, due: nextReminderAt, next: null })];
  const plan = { ...envelope, sentAt: new Date(sentAt) };
  const fate = dueReminder(plan, new Date(nextReminderAt), now, timeZone);
  const next = fate === "wait" ? nextMorning(now, timeZone) : nextReminder(plan, now, timeZone);
  const dedupeKey = `reminder:${id}:${nextReminderAt}`;
  const message = { kind: "reminder", createdAt: now.toISOString(), dedupeKey } as const;
  return [
    ...(fate === "send" ? [deleteWaitingReminders(db, id), ...queueForRecipient(db, envelope, message)] : []),
    setNextReminder(db, {
      ...{ id, due: nextReminderAt, next: next?.toISOString() ?? null },
      ...(fate === "send" && { sent: message.createdAt }),
    }),
  ];
}
