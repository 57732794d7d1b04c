import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { type Database, runBatch, runBatchAndRead } from "../../db/client";
import * as ownData from "../../db/queries/account-export";
import * as attachments from "../../db/queries/attachments";
import * as contacts from "../../db/queries/contacts";
import * as deletionNotices from "../../db/queries/deletion-notices";
import * as deletions from "../../db/queries/deletions";
import { deliveriesOfFiles } from "../../db/queries/deliveries-of-files";
import { findSubmitted, gatherSubmissions } from "../../db/queries/digests";
import { listDueLinks } from "../../db/queries/due-links";
import * as emailReverts from "../../db/queries/email-reverts";
import { listArchivedEnvelopes } from "../../db/queries/envelope-archive";
import { deleteEnvelopeDocuments } from "../../db/queries/envelope-documents";
import { insertDownloads, listEvents } from "../../db/queries/envelope-events";
import * as envelopeList from "../../db/queries/envelope-list";
import * as envelopes from "../../db/queries/envelopes";
import { takePath } from "../../db/queries/file-claims";
import * as fileDeletions from "../../db/queries/file-deletions";
import { findIdempotencyKey, recordKeyedResource } from "../../db/queries/idempotency-keys";
import * as identities from "../../db/queries/identities";
import * as invitations from "../../db/queries/invitations";
import * as jobRuns from "../../db/queries/job-runs";
import * as membership from "../../db/queries/membership";
import { claimNotifications, mergeWaiting } from "../../db/queries/notification-claims";
import { findNotificationContext } from "../../db/queries/notification-context";
import * as notifications from "../../db/queries/notifications";
import * as ownerReverts from "../../db/queries/owner-reverts";
import * as pendingEmails from "../../db/queries/pending-emails";
import * as people from "../../db/queries/people";
import * as quarantinedFiles from "../../db/queries/quarantined-files";
import * as rateLimits from "../../db/queries/rate-limits";
import * as renewals from "../../db/queries/renewals";
import * as retention from "../../db/queries/retention";
import * as schedule from "../../db/queries/schedule";
import * as scheduleNews from "../../db/queries/schedule-news";
import * as scheduled from "../../db/queries/scheduled-envelopes";
import * as series from "../../db/queries/series";
import * as sessions from "../../db/queries/sessions";
import * as submissions from "../../db/queries/submissions";
import * as suspectRenewals from "../../db/queries/suspect-renewals";
import * as templates from "../../db/queries/templates";
import * as undelivered from "../../db/queries/undelivered";
import * as uploadLeases from "../../db/queries/upload-leases";
import * as uploads from "../../db/queries/uploads";
import * as users from "../../db/queries/users";
import * as validity from "../../db/queries/validity";
import { claimDeliveries, type DeliveryOutcome, recordTry } from "../../db/queries/webhook-claims";
import * as deliveries from "../../db/queries/webhook-deliveries";
import { insertDeletionDeliveries, insertDeliveries } from "../../db/queries/webhook-events";
import * as webhooks from "../../db/queries/webhooks";
import * as activity from "../../db/queries/workspace-activity";
import * as workspaces from "../../db/queries/workspaces";
import { SORTS } from "../../worker/contract/list-orders";

const NOW = "2026-03-14T09:26:53.000Z";
const OUTCOME: DeliveryOutcome = {
  ...{ status: "delivered", statusCode: 200, durationMs: 1, response: "" },
  ...{ failure: null, nextAttemptAt: null },
};
const TURN = { limit: 16, share: 3, running: { 1: 2 }, after: 1, slots: 16 };
const PAGES = {
  "all of the caller's": {},
  "a page": { limit: 50 },
  "the page after": { limit: 50, cursor: { value: null, id: 1000 } },
  "a workspace's": { workspaceId: 3, limit: 50 },
  "a workspace's page after": { workspaceId: 3, limit: 50, cursor: { value: null, id: 1000 } },
};
const ENDING = { endingBy: NOW, sentBefore: NOW, now: NOW };
const RETENTION = { now: NOW, noticeDays: 7 };
const QUOTAS = { envelopeBytes: 1, accountBytes: 1, uploadsPerEnvelope: 1 };
const ALIVE = { empty: NOW, continued: NOW };
const PERIOD = { since: NOW, until: NOW };
const UPLOAD = { submissionToken: "token", id: "id" };
/** Any role of a caller: a stronger one is one more condition on the same row. */
const ME = { userId: 1, role: "member" } as const;
const WAYS = { passwords: true, providers: ["google", "github"], host: "docs.example.com" } as const;
type Run = (db: Database) => Promise<unknown>;

/** Every query that finds rows, as the app runs it. */
const QUERIES: Record<string, Run> = {
  ...listsOf("requests", (db, me, page) => envelopeList.listEnvelopes(db, me, { ...page, now: NOW })),
  ...listsOf("contacts", contacts.listContacts),
  ...listsOf("templates", templates.listTemplates),
  ...Object.fromEntries(
    SORTS.flatMap((sort) =>
      [{ sort }, { sort, cursor: { value: sort.endsWith("status") ? 1 : "a", id: 1000 } }].map(
        (call, page) => [
          `a workspace's envelopes by ${sort}, page ${page}`,
          (db) => envelopeList.listEnvelopeRows(db, ME, { workspaceId: 3, limit: 50, now: NOW, ...call }),
        ],
      ),
    ),
  ),
  "the counts of all envelopes": (db) => envelopeList.countEnvelopes(db, ME, { now: NOW }),
  "the counts of a workspace": (db) => envelopeList.countEnvelopes(db, ME, { workspaceId: 3, now: NOW }),
  "a contact's envelopes": (db) => envelopeList.listEnvelopes(db, ME, { limit: 50, contactId: 4, now: NOW }),
  "a contact's envelopes in a workspace": (db) =>
    envelopeList.listEnvelopes(db, ME, { workspaceId: 3, limit: 50, contactId: 4, now: NOW }),
  "a bulk send's envelopes": (db) =>
    envelopeList.listEnvelopes(db, ME, { workspaceId: 3, limit: 50, bulkId: 4, now: NOW }),
  "a series' envelopes": (db) =>
    envelopeList.listEnvelopes(db, ME, { workspaceId: 3, limit: 50, seriesId: 4, now: NOW }),
  "a series' envelopes in all workspaces": (db) =>
    envelopeList.listEnvelopeRows(db, ME, { limit: 50, seriesId: 4, now: NOW }),
  "a series' envelopes by subject": (db) =>
    envelopeList.listEnvelopeRows(db, ME, {
      ...{ workspaceId: 3, limit: 50, seriesId: 4, sort: "subject", now: NOW },
    }),
  "the counts of a series": (db) => envelopeList.countEnvelopes(db, ME, { seriesId: 4, now: NOW }),
  "the counts of a template": (db) =>
    envelopeList.countEnvelopes(db, ME, { workspaceId: 3, templateId: 4, now: NOW }),
  "the open envelopes of contacts": (db) => envelopeList.countOpen(db, ME, [4, 5], NOW),
  "a workspace's envelopes that did not reach their recipients": (db) =>
    envelopeList.listEnvelopeRows(db, ME, { workspaceId: 3, limit: 50, messages: "undelivered", now: NOW }),
  "a template's envelopes on a board": (db) =>
    envelopeList.listBoardRows(db, ME, { workspaceId: 3, limit: 50, templateId: 4, now: NOW }),
  "selected envelopes on a board": (db) =>
    envelopeList.listBoardRows(db, ME, { limit: 50, ids: [4, 5], sort: "recipient", now: NOW }),
  "links that are due": (db) => listDueLinks(db, { after: 5, limit: 5 }),
  "any links that are due": (db) => listDueLinks(db, { after: undefined, limit: 20 }),
  "an opened file": (db) => runBatch(db, [submissions.updateOpened(db, "name.pdf", NOW)]),
  "somebody's envelopes": (db) =>
    envelopeList.listEnvelopes(db, ME, { workspaceId: 3, limit: 50, assigneeId: 2, now: NOW }),
  "assigning an envelope": (db) =>
    runBatch(db, envelopes.assignEnvelope(db, ME, 2, { assigneeId: 2, read: NOW, now: NOW })),
  "who no longer watches an envelope": (db) => runBatch(db, [envelopes.deleteWatcher(db, ME, 2)]),
  "notices to watchers": (db) =>
    runBatch(db, [
      notifications.insertForWatchers(db, { token: "token", createdAt: NOW, payload: { text: "" } }),
    ]),
  "the people of envelopes": (db) => people.listPeople(db, [1, 2]),
  "an assignee": (db) => people.findAssignee(db, ME, { workspaceId: 3, userId: 2 }),
  "an envelope that was seen": (db) => envelopes.updateSeenEnvelope(db, ME, 2, NOW),
  "a contact's envelopes with files": (db) =>
    envelopeList.listIdsWithFiles(db, ME, { contactId: 4, limit: 101 }),
  "envelopes for an archive": (db) => listArchivedEnvelopes(db, ME, [2, 3]),
  "downloads that are recorded": (db) =>
    runBatch(
      db,
      insertDownloads(db, ME, {
        downloads: [{ envelopeId: 2, documentName: "Contract" }],
        address: "203.0.113.7",
        at: NOW,
      }),
    ),
  "an envelope": (db) => envelopes.findEnvelope(db, ME, 2),
  "an envelope by token": (db) => db.batch([envelopes.selectEnvelopeByToken(db, ME, "token")]),
  "deleting an envelope": (db) => envelopes.deleteEnvelope(db, ME, 2, { now: NOW }),
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
        ...{ id: "id", envelopeDocumentId: 2, fileName: "a.pdf", fileSize: 1 },
        ...{ metadata: "", filePath: "a.pdf", createdAt: NOW },
      },
      QUOTAS,
    ),
  "an upload": (db) => uploads.findUpload(db, UPLOAD, ALIVE),
  "locking an upload": (db) =>
    uploads.lockUpload(db, UPLOAD, { lockedBy: "me", now: NOW, lockedUntil: NOW, aliveSince: ALIVE }),
  "progress of an upload": (db) =>
    uploads.updateLockedUpload(
      db,
      { rowId: 1, lockedBy: "me" },
      { offset: 1 },
      { received: 1, quotas: QUOTAS },
    ),
  "finished uploads of a link": (db) => uploads.listFinishedUploads(db, "token"),
  "deleting an upload": (db) => uploads.deleteUpload(db, UPLOAD, NOW),
  "deleting the uploads of an envelope": (db) =>
    runBatch(db, uploads.deleteUploads(db, uploads.uploadsOfLink("token"), NOW)),
  "submitted uploads": (db) => runBatch(db, [uploads.deleteSubmittedUploads(db, [{ rowId: 1 }])]),
  "expired uploads": (db) =>
    uploads.deleteSomeExpiredUploads(db, { aliveSince: ALIVE, now: NOW, limit: 500 }),
  "deleting documents": (db) => runBatch(db, deleteEnvelopeDocuments(db, 1, [2], NOW)),
  "a file": (db) => submissions.findSubmittedFile(db, ME, "name.pdf"),
  "a contact": (db) => contacts.findContact(db, ME, 2),
  "a template": (db) => templates.findTemplate(db, ME, 2),
  workspaces: (db) => workspaces.listWorkspaces(db, ME),
  "the default workspace": (db) => workspaces.findDefaultWorkspace(db, ME),
  "a workspace": (db) => workspaces.findWorkspace(db, ME, 2),
  members: async (db) => people.selectMembers(db, ME, 2),
  "what is assigned to each member": async (db) => envelopeList.selectLoads(db, ME, 2, NOW),
  "a colleague's picture": (db) => people.findPicture(db, ME, "/uploads/name"),
  "what became of files at destinations": (db) =>
    deliveriesOfFiles(db, [{ id: 2, hasDestinations: 1 }], undefined),
  "the events of an envelope's timeline": (db) => listEvents(db, ME, 2, 100),
  "removing a member": (db) =>
    runBatch(
      db,
      membership.deleteMember(db, ME, { workspaceId: 2, userId: 3 }, { assignTo: undefined, now: NOW }),
    ).catch(() => {}),
  "a member with much": async (db) => {
    await membership.hasManyOtherRows(db, ME, { workspaceId: 2, userId: 3 });
    await runBatch(db, membership.passOnSomeRowsOf(db, ME, { workspaceId: 2, userId: 3 }));
  },
  "an account with much that is deleted": (db) => membership.findMuchAssigned(db, 3),
  "deleting a workspace": (db) => runBatch(db, deletions.deleteWorkspace(db, ME, 2, NOW)).catch(() => {}),
  "closing a workspace": (db) => runBatch(db, deletions.closeWorkspace(db, ME, 2, NOW)).catch(() => {}),
  "events of a deleted workspace": (db) =>
    runBatch(db, deletions.deleteSomeRows(db, deletions.envelopesOfWorkspace(2), { ids: [1, 2], limit: 10 })),
  "deleting the rest of a workspace": (db) => runBatch(db, deletions.deleteClosedWorkspace(db, 2, NOW)),
  "a workspace's activity": (db) => activity.listActivity(db, ME, 2, { limit: 50, cursor: 1000 }),
  "inviting an address": (db) =>
    runBatch(db, invitations.deleteWorkspaceInvitation(db, { workspaceId: 2, email: "a@example.com" })),
  "a workspace's invitations": async (db) =>
    invitations.selectWorkspaceInvitations(db, ME, { workspaceId: 2, now: NOW }),
  "a session": (db) => sessions.findSession(db, "sid", NOW),
  "all sessions": async (db) => sessions.deleteSessions(db, 1, "sid"),
  "an account by e-mail": (db) => users.findUserByEmail(db, "a@example.com"),
  "an account by provider": (db) => identities.findUserByIdentity(db, "google", "subject"),
  "an account by the address it signs in with": (db) => users.findUserBySignInEmail(db, "a@example.com"),
  "an account by its verification link": (db) => pendingEmails.findUserByVerification(db, "hash", NOW),
  "verifying an account": (db) =>
    pendingEmails.verifyUser(db, 1, { tokenHash: "hash", sid: "sid", now: NOW }),
  "confirming a pending address": (db) =>
    runBatch(db, pendingEmails.confirmPendingEmail(db, 1, "a@example.com")),
  "removing a pending address": (db) =>
    runBatch(db, pendingEmails.releasePendingEmail(db, "a@example.com", NOW)),
  "removing a pending address by its link": (db) => pendingEmails.releaseByToken(db, "hash", NOW),
  "an account's providers": (db) => identities.listProviders(db, 1, WAYS),
  "unlinking a provider": (db) => runBatch(db, [identities.deleteProvider(db, 1, "google")]),
  "a link to undo the removal of an owner": (db) => ownerReverts.findOwnerRevert(db, "hash", NOW),
  "a link of an owner who is removed": (db) =>
    runBatch(db, [
      ...ownerReverts.insertOwnerRevert(
        db,
        ME,
        { workspaceId: 3, userId: 2 },
        { tokenHash: "hash", createdAt: NOW, expiresAt: NOW },
        { unlessSince: NOW, unlessFrom: NOW },
      ),
      ...ownerReverts.withdrawOwnerReverts(db, ME, 3, { tokenHash: "other", createdAt: NOW, expiresAt: NOW }),
      ownerReverts.renewOwnerRevert(db, 1, 2, { tokenHash: "another", expiresAt: NOW }),
    ]),
  "workspaces that an account has left": (db) =>
    ownerReverts.listLostWorkspaces(db, 1, { after: NOW, since: NOW }),
  "a link to undo a change of address": (db) => emailReverts.findEmailRevert(db, "hash", NOW),
  "an address that can be put back": (db) => emailReverts.isRevertible(db, 1, "a@example.com", NOW),
  "an account's sign-ins": (db) => sessions.listSessions(db, 1, { now: NOW }),
  "one of an account's sign-ins": (db) => sessions.listSessions(db, 1, { now: NOW, id: "id" }),
  "deleting an account": (db) => runBatch(db, deletions.deleteUser(db, 1, NOW)),
  "the envelopes of a deleted account": (db) => deletions.listEnvelopes(db, deletions.envelopesOfUser(1), 50),
  "deleting envelopes of a deleted account": (db) =>
    runBatch(db, deletions.deleteEnvelopes(db, deletions.envelopesOfUser(1), { ids: [1, 2], now: NOW })),
  "accounts that are being deleted": async (db) => deletions.findDeletedUser(db),
  "workspaces that are being deleted": async (db) => deletions.findDeletedWorkspace(db),
  "envelopes' histories": (db) => ownData.listEnvelopeHistories(db, ME, [2, 3], 100),
  "the events of an envelope": (db) => ownData.listEnvelopeEvents(db, ME, 2, { after: 3, limit: 100 }),
  "the messages about an envelope": (db) => ownData.listMessages(db, ME, 2, { after: 3, limit: 100 }),
  "the messages about an account": (db) => ownData.listAccountMessages(db, 1, { after: 3, limit: 100 }),
  "an account's identities": (db) => ownData.listIdentities(db, 1),
  "files that are about to go": (db) =>
    Array.fromAsync(deletionNotices.listWithoutNotice(db, RETENTION, undefined)),
  "announcing that files go": (db) => runBatch(db, [deletionNotices.announce(db, [1, 2], RETENTION)]),
  "notices of files that go": (db) =>
    runBatch(db, [deletionNotices.queueDeletionNotices(db, [1, 2], { ...RETENTION, repeatBefore: NOW })]),
  "some of what a notice that was sent lists": (db) =>
    deletionNotices.recordSomeNotices(db, ME, { workspaceId: 2, announcedBy: NOW, now: NOW }, async () => {}),
  "notices that nobody saw": (db) =>
    runBatch(db, [deletionNotices.recordUnseenNotices(db, [1, 2], { ...RETENTION, announcedBefore: NOW })]),
  "a notice that was sent": (db) =>
    runBatch(db, [
      deletionNotices.recordDeletionNotice(db, ME, { workspaceId: 2, announcedBy: NOW, now: NOW }, 1),
    ]),
  "an enabled account's notices": (db) => runBatch(db, [deletionNotices.resetDeletionNotices(db, ME)]),
  "notices to show": (db) =>
    deletionNotices.listDeletionNotices(db, ME, { ...RETENTION, takeTurn: undefined }),
  "announcements to take back": (db) => retention.resetSomeAnnouncements(db, ME, 2, 30),
  "files that have to go": (db) =>
    Array.fromAsync(retention.listDueDeletions(db, RETENTION, { limit: 100, takeTurn: undefined })),
  "deleting files": (db) => runBatch(db, retention.deleteDueFiles(db, [1, 2], RETENTION)),
  "a workspace's time for files": (db) => runBatch(db, retention.updateRetention(db, ME, 2, 30)),
  "files that a retention would delete": (db) =>
    retention.findAffectedByRetention(db, ME, 2, { ...RETENTION, days: 30 }),
  "removed files": (db) => fileDeletions.deleteFileDeletions(db, ["a.pdf"]),
  "a password reset": (db) => users.findPasswordResetOwner(db, "hash", NOW),
  "whether there are webhooks": (db) => webhooks.hasWebhooks(db),
  "an account's webhooks": (db) => webhooks.listWebhooks(db, ME),
  "the next deliveries of webhooks": (db) =>
    claimDeliveries(db, { claimedBy: "me", now: NOW, claimedUntil: NOW, turn: TURN }),
  "webhooks of expired tokens": (db) => runBatch(db, webhooks.switchOffExpiredWebhooks(db, NOW)),
  "recording a delivery": (db) =>
    runBatch(
      db,
      recordTry(db, { id: 1, webhookId: 2, claimedBy: "me" }, OUTCOME, {
        isSlow: false,
        pausedUntil: null,
        now: NOW,
      }),
    ),
  "deleting a webhook": (db) => webhooks.deleteWebhook(db, ME, 2),
  "deliveries of a webhook that is deleted": (db) =>
    webhooks.deleteSomeDeliveries(db, ME, { id: 2, now: NOW }),
  "deliveries of webhooks that are switched off": (db) => webhooks.endSomeDeliveries(db),
  "deliveries of one that is switched off": (db) => webhooks.endSomeDeliveries(db, 2),
  "webhooks of an account's tokens": (db) => runBatch(db, webhooks.switchOffTokenWebhooks(db, 1, 2)),
  "a webhook's deliveries": (db) => deliveries.listDeliveries(db, ME, 2, { limit: 100, cursor: 3 }),
  "a delivery that is sent again": (db) => deliveries.requeueDelivery(db, ME, 2, { id: 3, now: NOW }),
  "making deliveries": (db) => insertDeliveries(db, NOW, 200),
  "deliveries about a deletion": (db) =>
    runBatch(db, insertDeletionDeliveries(db, ME, { envelopeId: 2, workspaceId: 1, text: "{}", now: NOW })),
  "the path of a file": (db) =>
    takePath(db, { id: 2, claimedBy: "me", destinationId: 3 }, "Rita/manifest.csv"),
  "an idempotency key": (db) => findIdempotencyKey(db, 1, "key"),
  "what a call with an idempotency key creates": (db) =>
    runBatch(db, recordKeyedResource(db, { userId: 1, key: "key", claimedBy: "me" }, "1")).catch(() => {}),
  "forms that nothing has": (db) =>
    runBatchAndRead(
      db,
      attachments.deleteUnusedAttachments(db, { before: NOW, now: NOW }),
      attachments.selectReleased(db, NOW),
    ),
  "a form of a link": (db) => attachments.findLinkedAttachment(db, 2, 3),
  "an envelope's forms": (db) => runBatch(db, attachments.releaseAttachments(db, "envelope", 2, NOW)),
  "what is outlived": (db) =>
    schedule.deleteSomeStaleRows(db, {
      now: NOW,
      sentBefore: NOW,
      keyedBefore: NOW,
      signedInBefore: NOW,
      limit: 500,
    }),
  "an envelope's notifications": (db) => notifications.listNotifications(db, ME, 2),
  "the last reminder of an envelope": (db) =>
    notifications.listNotifications(db, ME, 2, { kinds: ["reminder"], limit: 1 }),
  "notifications by id": (db) => notifications.listNotifications(db, ME, 2, { ids: [3, 4] }),
  "notifications by key": (db) => notifications.listNotifications(db, ME, 2, { dedupeKeys: ["a", "b"] }),
  "notifications that wait for the same": (db) =>
    mergeWaiting(
      db,
      {
        ...{ id: 1, kind: "password_changed", channel: "email", recipient: "a@example.com", userId: 1 },
        claimedBy: "me",
      },
      NOW,
    ),
  "what waits for a digest": (db) =>
    runBatch(db, gatherSubmissions(db, 1, { now: NOW, by: { id: 1, claimedBy: "me" } })),
  "the submissions of a digest": (db) => findSubmitted(db, ME, { ids: [1, 2], limit: 100 }),
  "due notifications": (db) =>
    claimNotifications(db, {
      channel: "email",
      claimedBy: "me",
      now: NOW,
      claimedUntil: NOW,
      turn: TURN,
    }),
  "a notification's context": (db) => findNotificationContext(db, notification, { now: NOW }),
  "accounts with undelivered messages": (db) => undelivered.findUndelivered(db, PERIOD, undefined),
  "notices of undelivered messages": (db) =>
    undelivered.queueUndeliveredNotices(db, new Map([[1, NOW]]), {
      ...PERIOD,
      now: NOW,
      takeTurn: undefined,
    }),
  "an account's undelivered messages": (db) => undelivered.listUndelivered(db, 1, { ...PERIOD, limit: 20 }),
  "expired envelopes": (db) => schedule.listExpired(db, NOW, 200),
  "envelopes that expire": (db) => runBatch(db, schedule.markExpired(db, [1, 2], NOW)),
  "envelopes about to end": (db) => schedule.listEndingEnvelopes(db, ENDING, { limit: 200 }),
  "the notices of some that are about to end": (db) =>
    runBatch(db, schedule.queueExpiringNotices(db, [{ id: 1, expiresAt: NOW }], ENDING)),
  "documents to look at": (db) => renewals.listDueDocuments(db, NOW, { limit: 50 }),
  "documents to look at, one of which is compared with many": async (db) => {
    await renewals.listDueDocuments(db, NOW, { limit: 50, takeTurn: async () => undefined });
    await validity.isReplacedInParts(db, 1, undefined);
  },
  "documents that are asked for together": (db) =>
    renewals.listRenewedTogether(
      db,
      {
        ...{ documentId: 1, name: "A", validUntil: "2027-01-01", renewOn: "2026-12-01", checkAt: NOW },
        ...{ envelopeId: 1, workspaceId: 3, userId: 1, contactId: 2, customerEmail: "a@example.com" },
        ...{ recipientPhone: null, timeZone: null, renewalPaused: null },
        ...{ isCurrent: true, isReplaced: false, isAsked: false, isDisabled: false },
      },
      { until: "2026-12-15", limit: 100 },
    ),
  "documents that expire": (db) => validity.listExpiring(db, ME, { workspaceId: 3, limit: 100 }),
  "documents that expire, compared in parts": (db) =>
    validity.listExpiring(db, ME, { workspaceId: 3, limit: 100, inParts: true }),
  "all of the caller's documents that expire until a day": (db) =>
    validity.listExpiring(db, ME, {
      limit: 100,
      until: "2027-01-01",
      cursor: { value: "2026-01-01", id: 5 },
    }),
  "a contact's documents that expire": (db) =>
    validity.listExpiring(db, ME, { workspaceId: 3, contactId: 2, limit: 100 }),
  "renewals that go on": (db) => validity.resumeRenewals(db, ME, { workspaceId: 3, now: NOW }, []),
  "due reminders": (db) => schedule.listDueReminders(db, NOW, { limit: 25 }),
  "scheduled envelopes that are due": (db) => scheduled.listDueEnvelopes(db, NOW, { limit: 25 }),
  "claims of scheduled envelopes": (db) =>
    scheduled.planDueEnvelopes(db, [{ id: 2, due: NOW, sendAt: NOW, claimedUntil: NOW }], NOW),
  "the scheduled envelopes of an account": (db) => scheduled.lookAgainAtAll(db, 1, undefined),
  "what a suspect account has scheduled": async (db) => {
    await scheduled.stopManyScheduled(db, 1, { now: NOW, takeTurn: undefined });
    await runBatch(db, scheduled.stopScheduledOf(db, 1, NOW));
  },
  "what a suspect account has asked for again": (db) =>
    suspectRenewals.pauseRenewalsOf(db, 1, { now: NOW, takeTurn: undefined }),
  "series that are due": (db) => series.listDueSeries(db, NOW, { limit: 10 }),
  "series that are due, page 1": (db) =>
    series.listDueSeries(db, NOW, { after: { dueAt: NOW, id: 5 }, limit: 10 }),
  "what a suspect account sends again and again": (db) => runBatch(db, series.pauseSeriesOf(db, 1, NOW)),
  "the series of a workspace": (db) => series.listSeriesIds(db, ME, { workspaceId: 3 }),
  "the series of a contact": (db) => series.listSeriesIds(db, ME, { contactId: 4 }),
  "some series with their last occurrence": (db) => series.listSeries(db, ME, [1, 2]),
  "the recipients of a series": (db) => series.listSeriesRecipients(db, 1),
  "the last envelopes of a series": async (db) => {
    await series.listLastOfSeries(db, 1, undefined).next();
    await series.listLastOfSeries(db, 1, async () => undefined).next();
  },
  "readers of a mail about schedules": (db) =>
    scheduleNews.listScheduleReaders(db, { now: NOW, waitedSince: NOW }),
  "a mail about schedules": (db) =>
    scheduleNews.queueScheduleMail(db, 1, { mail: "not_sent", day: "2026-03-14", now: NOW }),
  "the same in parts": (db) =>
    scheduleNews.queueScheduleMail(db, 1, {
      ...{ mail: "not_sent", day: "2026-03-14", now: NOW },
      takeTurn: async () => undefined,
    }),
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
    uploadLeases.insertEnvelopeLease(db, "token", {
      leaseId: "lease",
      bytes: 1,
      declared: 1,
      quotas: QUOTAS,
    }),
  "a lease that grows": (db) =>
    uploadLeases.growEnvelopeLease(db, "lease", { from: 1, to: 2, quotas: QUOTAS }),
  "leases renewed": (db) => uploadLeases.renewUploadLeases(db, ["lease"]),
  "a lease that ends": (db) => runBatch(db, uploadLeases.endUploadLease(db, "lease")).catch(() => {}),
  "a try": (db) => rateLimits.countRateLimit(db, "key", { now: NOW, resetAt: NOW }),
  "a job done": (db) => jobRuns.recordJobRun(db, "job", "2026-03-14T09"),
  "a try taken back": (db) => rateLimits.refundRateLimits(db, { key: 1 }, NOW),
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
  ...{
    payload: { workspaceId: 1, since: NOW, until: NOW },
    dedupeKey: "key",
    status: "queued",
    attempts: 0,
    nextAttemptAt: NOW,
    createdAt: NOW,
  },
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

/** Sort at most as many rows as there are slots for each account or receiver, the caller's workspaces, or its members. */
const SORTED = [
  "scheduled envelopes that are due",
  "readers of a mail about schedules",
  "due notifications",
  "the next deliveries of webhooks",
  "workspaces",
  "the default workspace",
  "an account's webhooks",
  "deleting an account",
  "accounts that are being deleted",
  "workspaces that are being deleted",
  "members",
  "removing a member",
  // Of two thousand at most.
  "any links that are due",
  // Groups what an index of lists has, which takes half as long as reading the rows in the order of the accounts.
  "what is assigned to each member",
  "a member with much",
  // A contact's, a bulk send's, the selected ones: as many as these have.
  ...["a contact's envelopes", "a contact's envelopes in a workspace", "a bulk send's envelopes"],
  "selected envelopes on a board",
  ...["a series' envelopes in all workspaces", "a series' envelopes by subject"],
  "the open envelopes of contacts",
  "the last envelopes of a series",
  ...["documents that are asked for together", "a contact's documents that expire"],
  "the submissions of a digest",
  // What checks a quota: the unfinished uploads of one account or workspace.
  ...["completing a link", "beginning an upload", "progress of an upload"],
  ...["a lease for an upload", "a lease that grows"],
];
/** Lists that sort a page of each workspace, or the keys of all envelopes of a workspace, which an index has. */
const SORTED_LISTS =
  /all of the caller's|the page after|^a page|, a page$|a workspace's envelopes by -?(?:status|due|expires|reminded|sends)/;

/** Queries that could also be found by an index with many more rows. */
const INDEXES: Record<string, string[]> = {
  "a contact's envelopes": ["envelopes_contact", "envelopes_recipient"],
  "a contact's envelopes in a workspace": ["envelopes_contact", "envelopes_recipient"],
  "a contact's envelopes with files": ["envelopes_contact", "envelopes_recipient", "submissions_envelope"],
  "a workspace's envelopes by sends, page 0": ["envelopes_scheduled_in", "COVERING INDEX envelopes_list"],
  // Those of other workspaces are not read.
  "a series' envelopes in all workspaces": [
    "COVERING INDEX envelopes_series (series_id=? AND workspace_id=?)",
  ],
  "a series' envelopes by subject": ["envelopes_series (series_id=? AND workspace_id=?)"],
  "the counts of a series": ["COVERING INDEX envelopes_series (series_id=? AND workspace_id=?)"],
  "the counts of a template": ["COVERING INDEX envelopes_template (template_id=? AND workspace_id=?)"],
  "the open envelopes of contacts": [
    "COVERING INDEX envelopes_contact",
    "COVERING INDEX envelopes_recipient (workspace_id=? AND customer_email=?)",
    "COVERING INDEX envelopes_recipient (workspace_id=? AND customer_email=? AND contact_id=? AND status=?)",
  ],
  "a workspace's envelopes that did not reach their recipients": [
    "envelopes_undelivered",
    // Not those of other workspaces: at nine in the morning, all reminders wait.
    "notifications_waiting (channel=? AND <expr>=?)",
  ],
  "what is assigned to each member": ["COVERING INDEX envelopes_recipient_name"],
  "the next deliveries of webhooks": ["COVERING INDEX webhook_deliveries_due"],
  // A run of each minute reads no row that is not due.
  "scheduled envelopes that are due": ["envelopes_scheduled_of"],
  "series that are due": ["series_due"],
  "series that are due, page 1": ["series_due"],
  "documents to look at": ["envelope_documents_check", "envelope_documents_key"],
  "the path of a file": ["destinations_place (<expr>=?)"],
  // Sums of many envelopes read no row of them.
  "beginning an upload": ["COVERING INDEX envelopes_user_bytes", "COVERING INDEX envelopes_workspace_bytes"],
};

/** What SQLite would prepare again at each run: conditions of partial indexes name these columns. */
const PREPARED_AGAIN = /"(?:requests|notifications|webhook_deliveries)"\."status" (?:=|<>|in) \(?\?/;

for (const [name, run] of Object.entries(QUERIES)) {
  test(`${name}: found by index, whatever the number of rows`, async () => {
    statements.length = 0;
    await run(db);
    expect(statements.length).toBeGreaterThan(0);
    for (const { sql, params } of statements) {
      expect(sql).not.toMatch(PREPARED_AGAIN);
      const plan = await planOf(sql, params);
      const scans = plan.filter(
        (step) =>
          step.startsWith("SCAN") &&
          !/json_each|CONSTANT ROW|^SCAN (?:keys|called|page|next|waiting|candidate|due|it|theirs|addresses|whole|folder|target|given)(?: USING COVERING INDEX schedule_news_user)?$|^SCAN (?:found|refunded|plan) VIRTUAL TABLE|^SCAN \(subquery/.test(
            step,
          ),
      );
      expect(scans, sql).toEqual([]);
      const sorts = plan.filter((step) => step.includes("TEMP B-TREE"));
      if (!SORTED.includes(name) && !SORTED_LISTS.test(name)) expect(sorts, sql).toEqual([]);
      for (const index of INDEXES[name] ?? [])
        expect(plan.join("\n")).toContain(` ${index}${index.endsWith(")") ? "" : " ("}`);
    }
  });
}

test("what expires is found by its time once, whatever has ended before in workspaces that are being deleted", async () => {
  statements.length = 0;
  await runBatch(db, schedule.markExpired(db, [1, 2], NOW));
  for (const { sql, params } of statements)
    expect((await planOf(sql, params)).join("\n")).not.toContain("envelopes_ending");
});

test("the contacts of an import are matched by an index, however long the list is", async () => {
  statements.length = 0;
  const entries = [{ firstName: "Ada", email: "a@example.com" }];
  await contacts
    .importContacts(db, ME, {
      workspaceId: 3,
      entries,
      byEmail: true,
      quotas: { accountBytes: null },
      now: NOW,
    })
    .catch(() => {});
  const plans = await Promise.all(statements.map(({ sql, params }) => planOf(sql, params)));
  const matched = plans.filter((plan) => plan.some((step) => step.includes("known")));
  expect(matched.length).toBeGreaterThan(0);
  for (const plan of matched) {
    expect(plan.join("\n")).toMatch(/SEARCH (?:known|entries) USING AUTOMATIC/);
    // Groups only those that have an address of the list.
    expect(plan.join("\n")).toMatch(
      /SEARCH contacts USING (?:COVERING )?INDEX contacts_email \(workspace_id=\? AND <expr>=\?\)\nLIST SUBQUERY \d+\nSCAN entries/,
    );
  }
});

async function planOf(sql: string, params: unknown[]): Promise<string[]> {
  const { rows } = await explainer.execute({ sql: `explain query plan ${sql}`, args: params as string[] });
  return rows.map(({ detail }) => String(detail));
}

function listsOf<Query>(
  table: string,
  list: (db: Database, member: typeof ME, query: Query & (typeof PAGES)["a page"]) => Promise<unknown>,
): Record<string, Run> {
  return Object.fromEntries(
    Object.entries(PAGES).map(([page, query]) => [
      `${table}, ${page}`,
      (db: Database) => list(db, ME, query as Query & (typeof PAGES)["a page"]),
    ]),
  );
}
