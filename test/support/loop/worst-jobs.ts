import { and, eq, gt, inArray, isNull, lte, ne, sql } from "drizzle-orm";
import type { Database } from "../../../db/client";
import { BACKUP } from "../../../db/queries/job-runs";
import {
  destinations,
  dueLinks,
  envelopeDocuments,
  envelopes,
  envelopeTexts,
  fileDeletions,
  jobRuns,
  notifications,
  renewals,
  series,
  submissions,
  uploads,
  users,
  webhookCursors,
  webhooks,
  workspaces,
} from "../../../db/schema";
import { WEBHOOK_EVENTS } from "../../../worker/contract/envelope-events";
import { LIMITS } from "../../../worker/contract/limits";
import type { JobName } from "../../../worker/jobs";
import { TEST_START } from "../runtime/runtime";
import type { World } from "./worst-calls";

/** When a job runs, and what there is to do for it then. A job is prepared again before it is repeated. */
type WorstJob = { at: string; prepare(db: Database, world: World): Promise<unknown> };

const LONG_AGO = "2026-03-14T00:00:00.000Z";
const MORNING = "2026-03-15T09:26:53.000Z";
const EXPIRED = "2026-04-03T09:26:53.000Z";
const YEAR_LATER = "2027-04-03T03:26:53.000Z";

/** Of what is done in small parts, which all take as long. */
const SOME = 300;
/** More than are sent at once. */
const SERIES = 8;

const setPending = (db: Database) =>
  db
    .update(envelopes)
    .set({ status: "pending", nextReminderAt: MORNING })
    .where(and(isNull(envelopes.completedAt), ne(envelopes.status, "draft")));
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));

/** The most work there is for each job, or why none keeps others waiting. */
export const WORST_JOBS: Record<JobName, WorstJob | string> = {
  queueReminders: {
    at: MORNING,
    async prepare(db) {
      await setPending(db);
      await db.update(envelopes).set({ nextReminderAt: null }).where(gt(envelopes.id, SOME));
    },
  },
  sendScheduledEnvelopes: {
    at: MORNING,
    prepare: (db) =>
      db
        .update(envelopes)
        .set({ status: "scheduled", sentAt: null, sendOn: "2026-03-15", sendHour: 9, sendAt: MORNING })
        .where(and(isNull(envelopes.completedAt), lte(envelopes.id, SOME))),
  },
  renewDocuments: {
    at: MORNING,
    async prepare(db, { workspaceId }) {
      await db.delete(renewals);
      await db
        .update(envelopeDocuments)
        .set({
          ...{ workspaceId, validUntil: "2026-04-14", renewOn: "2026-03-15", checkAt: MORNING },
          details: { asksValidUntil: true, renewDays: 30 },
        })
        .where(lte(envelopeDocuments.envelopeId, SOME));
    },
  },
  queueScheduleMails: {
    at: MORNING,
    async prepare(db, { userId, workspaceId }) {
      // No mail goes before what is due is sent.
      await setPending(db);
      await db.delete(notifications).where(eq(notifications.kind, "not_sent"));
      await db.run(sql`insert into schedule_news (user_id, workspace_id, mail, news, created_at)
        select ${userId}, ${workspaceId}, 'not_sent', json_object('title', i), ${LONG_AGO} from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000) select i from n)`);
    },
  },
  drainOutbox: {
    at: MORNING,
    async prepare(db, { userId }) {
      await db
        .update(notifications)
        .set({ status: "queued", attempts: 0, nextAttemptAt: LONG_AGO, sentAt: null })
        .where(and(eq(notifications.kind, "reminder"), lte(notifications.id, SOME)));
      await db.update(users).set({ submissionMails: "hourly" });
      await db.delete(notifications).where(inArray(notifications.kind, ["submission", "digest"]));
      await db.run(sql`insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, failure, next_attempt_at, created_at)
        select ${userId}, e.id, 'submission', 'email', 'owner@example.com', '{}', 'held' || e.id || '-' || f.id, 'digest', ${LONG_AGO}, ${LONG_AGO}
        from envelopes as e, envelopes as f where e.completed_at is not null and f.completed_at is not null and f.id % 2 = 0`);
    },
  },
  reportUndelivered: {
    at: MORNING,
    async prepare(db) {
      await db.update(notifications).set({ status: "failed" }).where(eq(notifications.kind, "reminder"));
      await db.delete(notifications).where(eq(notifications.kind, "undelivered"));
    },
  },
  replaceDueLinks: {
    at: MORNING,
    async prepare(db, { userId }) {
      await setPending(db);
      const open = await db
        .select({ id: envelopes.id })
        .from(envelopes)
        .where(eq(envelopes.status, "pending"))
        .limit(SOME);
      await db
        .insert(dueLinks)
        .values(open.map(({ id }) => ({ envelopeId: id, requestedBy: userId, address: "203.0.113.7" })))
        .onConflictDoNothing();
    },
  },
  startDeliveringFiles: {
    at: MORNING,
    async prepare(db) {
      await db.delete(destinations);
      const [workspace] = await db.select({ id: workspaces.id }).from(workspaces).limit(1);
      const times = { createdAt: LONG_AGO, updatedAt: LONG_AGO };
      await db.insert(destinations).values({
        ...{ id: 1, workspaceId: workspace?.id ?? 0, kind: "folder", name: "NAS", settings: { path: "" } },
        ...{ deliveredWhen: "submitted", folderRule: "{subject}", includeAnswers: true, ...times },
      });
      await db.run(sql`insert into file_deliveries (destination_id, envelope_id, submission_id, submitted_at, state_at, next_attempt_at, created_at)
        select 1, envelope_id, id, created_at, created_at, ${LONG_AGO}, ${LONG_AGO} from submissions`);
    },
  },
  startSendingWebhooks: {
    at: MORNING,
    async prepare(db) {
      await db.update(webhooks).set({ events: [...WEBHOOK_EVENTS], sinceEventId: 0 });
      await db.update(webhookCursors).set({ eventId: 0 });
    },
  },
  startIndexing: { at: MORNING, prepare: (db) => db.update(envelopeTexts).set({ stale: true }) },
  reportAlerts: {
    at: MORNING,
    async prepare(db) {
      await db.update(users).set({ storageQuota: LIMITS.accountQuota });
      await db.delete(jobRuns);
      await db.insert(jobRuns).values({ job: BACKUP, hour: "2026-01-01T00" });
    },
  },
  announceExpiry: {
    at: "2026-03-31T09:26:53.000Z",
    async prepare(db) {
      await setPending(db);
      await db.delete(notifications).where(eq(notifications.kind, "expiring"));
    },
  },
  expireEnvelopes: { at: EXPIRED, prepare: setPending },
  removeExpiredUploads: {
    at: YEAR_LATER,
    async prepare(db, { sent, submitted }) {
      const rows = many(20_000, (index) => ({
        ...{ id: crypto.randomUUID(), envelopeId: sent.id, envelopeDocumentId: submitted.documents[0] ?? 0 },
        ...{
          fileName: "a.pdf",
          fileSize: 10,
          metadata: "",
          filePath: `upload${crypto.randomUUID()}-${index}`,
        },
        ...{ createdAt: LONG_AGO, lastByteAt: LONG_AGO },
      }));
      for (let at = 0; at < rows.length; at += 500) await db.insert(uploads).values(rows.slice(at, at + 500));
    },
  },
  deletePendingFiles: {
    at: YEAR_LATER,
    async prepare(db) {
      const rows = many(SOME, () => ({ key: crypto.randomUUID(), removedAt: LONG_AGO, storeState: null }));
      await db.insert(fileDeletions).values(rows);
    },
  },
  announceFileDeletions: {
    at: YEAR_LATER,
    async prepare(db) {
      await db.update(workspaces).set({ retentionDays: 30 });
      await db.update(envelopes).set({ deletionAnnouncedAt: null, deletionNoticedAt: null });
    },
  },
  deleteRetainedFiles: {
    at: YEAR_LATER,
    async prepare(db, { archived }) {
      await db.update(workspaces).set({ retentionDays: 30 });
      await db
        .update(envelopes)
        .set({ deletionAnnouncedAt: LONG_AGO, deletionNoticedAt: LONG_AGO, filesDeletedAt: null })
        .where(inArray(envelopes.id, archived.slice(0, 20)));
      await db.update(submissions).set({ deletedAt: null });
      await db.delete(fileDeletions);
    },
  },
  removeStaleRows: {
    at: YEAR_LATER,
    prepare: async (db, { webhookId, userId }) => {
      await db.run(
        sql`insert into rate_limits (key, count, reset_at) select hex(randomblob(16)), 1, ${TEST_START} from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select i from n)`,
      );
      await db.run(
        sql`insert into workspace_activity (workspace_id, type, actor_id, actor_name, target, created_at) select id, iif(i % 2, 'member.role_changed', 'workspace.changed'), 1, '', '{}', '2099' from workspaces, (with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000) select i from n)`,
      );
      await db.run(
        sql`insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, status, created_at) select ${webhookId}, ${userId}, hex(randomblob(16)), 'request.deleted', ${TEST_START}, iif(i % 2, 'delivered', 'pending'), '2099' from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) select i from n)`,
      );
    },
  },
  eraseFromSearchIndex: {
    at: YEAR_LATER,
    prepare: (db) =>
      db
        .update(envelopeTexts)
        .set({ texts: ["erased"] })
        .where(lte(envelopeTexts.id, SOME)),
  },
  startDeletions: { at: YEAR_LATER, prepare: (db) => db.update(workspaces).set({ deletedAt: TEST_START }) },
  queueDueSeries: {
    at: MORNING,
    async prepare(db) {
      await db.delete(series).where(gt(series.id, 1));
      await db.update(series).set({ nextOn: MORNING.slice(0, 10), dueAt: LONG_AGO, paused: null });
      for (const one of await db.select().from(series))
        await db.insert(series).values(many(SERIES, (index) => ({ ...one, id: index + 2 })));
      await db.run(sql`insert into series_recipients (series_id, recipient) select copy.id, one.recipient
        from series as copy cross join series_recipients as one where copy.id > 1 and one.series_id = 1`);
    },
  },
  continueBulkSends:
    "creates what `POST /api/requests/bulk` does behind its response, which is measured with it",
  startRevokingLeases: "reads one row for each upload that is running",
  reportSendingLimits: "reads two counters",
  startScanningQuarantine: "waits for a virus scanner, which is not configured here",
  removeAbandonedUploads: "reads the store page by page",
  cleanStore: "reads the store page by page",
};
