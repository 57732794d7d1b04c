import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { type Database, runBatch } from "../../db/client";
import * as ownData from "../../db/queries/account-export";
import * as contacts from "../../db/queries/contacts";
import * as emailReverts from "../../db/queries/email-reverts";
import { listArchivedEnvelopes } from "../../db/queries/envelope-archive";
import { deleteEnvelopeDocuments } from "../../db/queries/envelope-documents";
import { insertDownloads } from "../../db/queries/envelope-events";
import * as envelopes from "../../db/queries/envelopes";
import * as fileDeletions from "../../db/queries/file-deletions";
import { findIdempotencyKey, recordKeyedResource } from "../../db/queries/idempotency-keys";
import * as identities from "../../db/queries/identities";
import * as jobRuns from "../../db/queries/job-runs";
import { findNotificationContext } from "../../db/queries/notification-context";
import * as notifications from "../../db/queries/notifications";
import * as quarantinedFiles from "../../db/queries/quarantined-files";
import * as rateLimits from "../../db/queries/rate-limits";
import * as retention from "../../db/queries/retention";
import * as schedule from "../../db/queries/schedule";
import * as sessions from "../../db/queries/sessions";
import * as submissions from "../../db/queries/submissions";
import * as templates from "../../db/queries/templates";
import * as uploadLeases from "../../db/queries/upload-leases";
import * as uploads from "../../db/queries/uploads";
import * as users from "../../db/queries/users";
import * as deliveries from "../../db/queries/webhook-deliveries";
import { insertDeletionDeliveries, insertDeliveries } from "../../db/queries/webhook-events";
import * as webhooks from "../../db/queries/webhooks";
import * as workspaces from "../../db/queries/workspaces";
import * as schema from "../../db/schema";

const NOW = "2026-03-14T09:26:53.000Z";
const PAGES = {
  "all of the caller's": {},
  "a page": { limit: 50 },
  "the page after": { limit: 50, cursor: 1000 },
  "a workspace's": { workspaceId: 3, limit: 50 },
  "a workspace's page after": { workspaceId: 3, limit: 50, cursor: 1000 },
};
const RETENTION = { now: NOW, noticeDays: 7 };
const QUOTAS = { envelopeBytes: 1, accountBytes: 1, uploadsPerEnvelope: 1 };
const UPLOAD = { submissionToken: "token", id: "id" };
type Run = (db: Database) => Promise<unknown>;

/** Every query that finds rows, as the app runs it. */
const QUERIES: Record<string, Run> = {
  ...listsOf("requests", envelopes.listEnvelopes),
  ...listsOf("contacts", contacts.listContacts),
  ...listsOf("templates", templates.listTemplates),
  "all of the caller's envelopes, counted": (db) =>
    envelopes.listEnvelopes(db, 1, { limit: 50, summarize: { now: NOW } }),
  "a workspace's envelopes, counted": (db) =>
    envelopes.listEnvelopes(db, 1, { workspaceId: 3, limit: 50, summarize: { now: NOW } }),
  "an envelope that was seen": (db) => envelopes.updateSeenEnvelope(db, 1, 2, NOW),
  "envelopes for an archive": (db) => listArchivedEnvelopes(db, 1, [2, 3]),
  "downloads that are recorded": (db) =>
    runBatch(db, [
      insertDownloads(db, 1, {
        downloads: [{ envelopeId: 2, documentName: "Contract" }],
        address: "203.0.113.7",
        at: NOW,
      }),
    ]),
  "an envelope": (db) => envelopes.findEnvelope(db, 1, 2),
  "an envelope by token": (db) => envelopes.findEnvelopeByToken(db, 1, "token"),
  "deleting an envelope": (db) => envelopes.deleteEnvelope(db, 1, 2, { now: NOW }),
  "a link": (db) => submissions.findEnvelopeForRecipient(db, "token"),
  "completing a link": (db) =>
    runBatch(
      db,
      submissions.completeEnvelope(
        db,
        { id: 1, documents: [] },
        { completedAt: NOW, note: null, quotas: QUOTAS, left: "finished" },
      ),
    ),
  "documents that the recipient does not have": (db) =>
    runBatch(db, [
      submissions.updateSkippedDocuments(db, "token", {
        skipped: [{ documentId: 2, reason: null }],
        answered: [3],
      }),
    ]),
  "superseding files": (db) => runBatch(db, [submissions.supersedeFiles(db, "token", [2])]),
  "beginning an upload": (db) =>
    uploads.insertUpload(
      db,
      "token",
      {
        ...{ id: "id", requestDocumentId: 2, fileName: "a.pdf", fileSize: 1 },
        ...{ metadata: "", filePath: "a.pdf", createdAt: NOW },
      },
      QUOTAS,
    ),
  "an upload": (db) => uploads.findUpload(db, UPLOAD, NOW),
  "locking an upload": (db) =>
    uploads.lockUpload(db, UPLOAD, { lockedBy: "me", now: NOW, lockedUntil: NOW, aliveSince: NOW }),
  "progress of an upload": (db) =>
    uploads.updateLockedUpload(db, { rowId: 1, lockedBy: "me" }, { offset: 1 }),
  "finished uploads of a link": (db) => uploads.listFinishedUploads(db, "token"),
  "deleting an upload": (db) => uploads.deleteUpload(db, UPLOAD, NOW),
  "deleting the uploads of an envelope": (db) =>
    runBatch(db, uploads.deleteUploads(db, uploads.uploadsOfLink("token"), NOW)),
  "submitted uploads": (db) => runBatch(db, [uploads.deleteSubmittedUploads(db, [{ rowId: 1 }])]),
  "expired uploads": (db) => runBatch(db, uploads.deleteExpiredUploads(db, { aliveSince: NOW, now: NOW })),
  "deleting documents": (db) => runBatch(db, deleteEnvelopeDocuments(db, 1, [2], NOW)),
  "a file": (db) => submissions.findSubmittedFile(db, 1, "name.pdf"),
  "a contact": (db) => contacts.findContact(db, 1, 2),
  "a template": (db) => templates.findTemplate(db, 1, 2),
  workspaces: (db) => workspaces.listWorkspaces(db, 1),
  "a workspace": (db) => workspaces.findWorkspace(db, 1, 2),
  "a session": (db) => sessions.findSession(db, "sid", NOW),
  "all sessions": async (db) => sessions.deleteSessions(db, 1, "sid"),
  "an account by e-mail": (db) => users.findUserByEmail(db, "a@example.com"),
  "an account by provider": (db) => identities.findUserByIdentity(db, "google", "subject"),
  "verifying an account": (db) => users.verifyUser(db, "hash", NOW),
  "an account's providers": (db) => identities.listProviders(db, 1),
  "unlinking a provider": (db) => identities.deleteProvider(db, 1, "google"),
  "a link to undo a change of address": (db) => emailReverts.findEmailRevert(db, "hash", NOW),
  "an address that can be put back": (db) => emailReverts.isRevertible(db, 1, "a@example.com", NOW),
  "an account's sign-ins": (db) => sessions.listSessions(db, 1, { now: NOW }),
  "one of an account's sign-ins": (db) => sessions.listSessions(db, 1, { now: NOW, id: "id" }),
  "deleting an account": (db) => runBatch(db, users.deleteUser(db, 1, NOW)),
  "envelopes' histories": (db) => ownData.listEnvelopeHistories(db, 1, [2, 3], 100),
  "the events of an envelope": (db) => ownData.listEnvelopeEvents(db, 1, 2, { after: 3, limit: 100 }),
  "the messages about an envelope": (db) => ownData.listMessages(db, 1, 2, { after: 3, limit: 100 }),
  "the messages about an account": (db) => ownData.listMessages(db, 1, null, { after: 3, limit: 100 }),
  "an account's identities": (db) => ownData.listIdentities(db, 1),
  "files that are about to go": (db) => runBatch(db, retention.announceDeletions(db, RETENTION)),
  "files that have to go": (db) => retention.listDueDeletions(db, RETENTION, 100),
  "deleting files": (db) => runBatch(db, retention.deleteDueFiles(db, [1, 2], RETENTION)),
  "a workspace's time for files": (db) =>
    runBatch(db, retention.updateRetention(db, 1, 2, { retentionDays: 30, now: NOW })),
  "files that a retention would delete": (db) =>
    retention.findRetentionReach(db, 1, 2, { ...RETENTION, days: 30 }),
  "removed files": (db) => fileDeletions.deleteFileDeletions(db, ["a.pdf"]),
  "a password reset": (db) => users.findPasswordResetOwner(db, "hash", NOW),
  "whether there are webhooks": (db) => webhooks.hasWebhooks(db),
  "an account's webhooks": (db) => webhooks.listWebhooks(db, 1),
  "webhooks with something due": (db) => deliveries.listDueWebhooks(db, NOW, 16),
  "the next deliveries of a webhook": (db) =>
    deliveries.claimDeliveries(db, {
      webhookId: 1,
      claimedBy: "me",
      now: NOW,
      claimedUntil: NOW,
      limit: 4,
    }),
  "a webhook's deliveries": (db) => deliveries.listDeliveries(db, 1, 2, { limit: 100, cursor: 3 }),
  "a delivery that is sent again": (db) => deliveries.requeueDelivery(db, 1, 2, { id: 3, now: NOW }),
  "making deliveries": (db) => runBatch(db, insertDeliveries(db, NOW)),
  "deliveries about a deletion": (db) =>
    runBatch(db, insertDeletionDeliveries(db, 1, { envelopeId: 2, data: {}, now: NOW })),
  "an idempotency key": (db) => findIdempotencyKey(db, 1, "key"),
  "what a call with an idempotency key creates": (db) =>
    runBatch(db, recordKeyedResource(db, { userId: 1, key: "key", claimedBy: "me" }, "1")).catch(() => {}),
  "what is outlived": (db) => runBatch(db, schedule.deleteStaleRows(db, { now: NOW, sentBefore: NOW })),
  "an envelope's notifications": (db) => notifications.listNotifications(db, 1, 2),
  "the last reminder of an envelope": (db) =>
    notifications.listNotifications(db, 1, 2, { kind: "reminder", limit: 1 }),
  "notifications by id": (db) => notifications.listNotifications(db, 1, 2, { ids: [3, 4] }),
  "notifications by key": (db) => notifications.listNotifications(db, 1, 2, { dedupeKeys: ["a", "b"] }),
  "due notifications": (db) =>
    notifications.claimNotifications(db, {
      channel: "email",
      claimedBy: "me",
      now: NOW,
      claimedUntil: NOW,
      limit: 20,
    }),
  "a notification's context": (db) => findNotificationContext(db, notification),
  "lapsed envelopes": (db) => runBatch(db, schedule.markLapsedEnvelopes(db, NOW)),
  "envelopes about to end": (db) =>
    runBatch(
      db,
      schedule.queueExpiringNotices(db, {
        endingBy: NOW,
        sentBefore: NOW,
        now: NOW,
      }),
    ),
  "due reminders": (db) => schedule.listDueReminders(db, NOW, { after: 0, limit: 100 }),
  "a quarantined file": (db) => quarantinedFiles.claimQuarantinedFile(db, { now: NOW, dueAgainAt: NOW }),
  "a quarantined file with a virus": (db) =>
    runBatch(
      db,
      quarantinedFiles.deleteInfectedFile(
        db,
        { id: 1, filePath: "a.pdf", documentName: "Contract", createdAt: NOW, scanDueAt: NOW },
        "EICAR",
        NOW,
      ),
    ),
  "orphan files": (db) => uploadLeases.listOrphanKeys(db, ["a.pdf", "b.pdf"]),
  "a lease for an upload": (db) =>
    uploadLeases.insertEnvelopeLease(db, "token", { leaseId: "lease", bytes: 1, quotas: QUOTAS }),
  "leases renewed": (db) => uploadLeases.renewUploadLeases(db, new Map([["lease", 1]])),
  "a lease that ends": (db) => runBatch(db, uploadLeases.endUploadLease(db, "lease")).catch(() => {}),
  "a try": (db) => rateLimits.countRateLimit(db, "key", { now: NOW, resetAt: NOW }),
  "a job done": (db) => jobRuns.recordJobRun(db, "job", "2026-03-14T09"),
  "a try taken back": (db) => rateLimits.refundRateLimit(db, "key", NOW),
};

const client = createClient({ url: ":memory:" });
const statements: { sql: string; params: unknown[] }[] = [];
/** Separate: SQLite counts EXPLAIN of a write as a write, and then does not commit the batch. */
const explainer = createClient({ url: ":memory:" });
const batch = client.batch.bind(client);
// Drizzle does not log statements in a batch.
client.batch = (items, mode) => {
  for (const item of items)
    if (typeof item === "object" && "sql" in item)
      statements.push({ sql: item.sql, params: Object.values(item.args ?? {}) });
  return batch(items, mode);
};
const db = drizzle(client, {
  schema,
  casing: "snake_case",
  logger: { logQuery: (sql, params) => void statements.push({ sql, params }) },
});

const notification = {
  ...{
    id: 1,
    userId: null,
    envelopeId: null,
    kind: "invitation",
    channel: "email",
    recipient: "a@example.com",
  },
  ...{ payload: {}, dedupeKey: "key", status: "queued", attempts: 0, nextAttemptAt: NOW, createdAt: NOW },
  ...{ claimedBy: null, claimedUntil: null, lastError: null, failure: null, sentAt: null },
} satisfies notifications.Notification;

const migrationsFolder = fileURLToPath(new URL("../../db/migrations", import.meta.url));
beforeAll(async () => {
  await migrate(db, { migrationsFolder });
  await migrate(drizzle(explainer), { migrationsFolder });
});
afterAll(() => {
  client.close();
  explainer.close();
});

for (const [name, run] of Object.entries(QUERIES)) {
  test(`${name}: found by index, whatever the number of rows`, async () => {
    statements.length = 0;
    await run(db);
    expect(statements.length).toBeGreaterThan(0);
    for (const { sql, params } of statements) {
      const { rows } = await explainer.execute({
        sql: `explain query plan ${sql}`,
        args: params as string[],
      });
      const plan = rows.map(({ detail }) => String(detail));
      const scans = plan.filter(
        (step) =>
          step.startsWith("SCAN") && !/json_each|CONSTANT ROW|^SCAN page$|^SCAN \(subquery/.test(step),
      );
      expect(scans, sql).toEqual([]);
      const sorts = plan.filter((step) => step.includes("TEMP B-TREE"));
      expect(sorts, sql).toEqual([]);
    }
  });
}

function listsOf<Query>(
  table: string,
  list: (db: Database, userId: number, query: Query & (typeof PAGES)["a page"]) => Promise<unknown>,
): Record<string, Run> {
  return Object.fromEntries(
    Object.entries(PAGES).map(([page, query]) => [
      `${table}, ${page}`,
      (db: Database) => list(db, 1, query as Query & (typeof PAGES)["a page"]),
    ]),
  );
}
