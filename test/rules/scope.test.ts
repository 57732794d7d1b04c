import { expect, test } from "bun:test";
import { readSources } from "./sources";

const UPLOAD = "by its random id, within the envelope of the recipient's token";
const WEBHOOK = "for the one that delivers, which sends for all accounts";
const DELIVERY = "for the sender of files, which delivers for all workspaces";
const BULK_SEND = "for the job, whose envelopes are inserted for the member who called";
const LEASE = "a random id that only the process with the lease knows";

/** Queries that take a row's id without a member or an account before it, and why they reach nobody else's rows. */
const WITHOUT_OWNER: Record<string, string> = {
  "db/queries/accounts.ts: findWorkspaceUse": "for administrators and commands",
  "db/queries/accounts.ts: setWorkspaceQuota": "for administrators and commands",
  "db/queries/answers.ts: deleteKeptAnswers": "in a batch that checks the envelope's owner",
  "db/queries/answers.ts: keepAnswers": "for the envelope of the recipient's token",
  "db/queries/answers.ts: listEarlierAnswers": "for the envelope of the recipient's token",
  "db/queries/answers.ts: readEarlierValues":
    "of answers that were found for the envelope of the recipient's token",
  "db/queries/answers.ts: replaceSealedAnswer": "for the operator's command",
  "db/queries/answers.ts: submitAnswers": "for the envelope of the recipient's token",
  "db/queries/envelope-documents.ts: deleteDocumentUploads": "in a batch that checks the envelope's owner",
  "db/queries/attachments.ts: findLinkedAttachment": "of the envelope of the recipient's token",
  "db/queries/attachments.ts: insertAttachmentUses": "in a batch that creates or checks the owner's row",
  "db/queries/attachments.ts: releaseAttachments": "in a batch that checks the owner's row",
  "db/queries/audit-log.ts: insertAuditEntry": "takes who acts",
  "db/queries/audit-log.ts: insertNewAccountEntry": "takes who acts",
  "db/queries/brands.ts: selectBrand": "of a queued notification",
  "db/queries/bulk-sends.ts: failRecipients": BULK_SEND,
  "db/queries/bulk-sends.ts: findBulkSendToWork": BULK_SEND,
  "db/queries/bulk-sends.ts: finishBulkSend": BULK_SEND,
  "db/queries/bulk-sends.ts: takeRecipient": BULK_SEND,
  "db/queries/destinations.ts: activateDestination": DELIVERY,
  "db/queries/destinations.ts: addSettings": DELIVERY,
  "db/queries/destinations.ts: countDestinations": "for an owner, of a workspace that was read before",
  "db/queries/destinations.ts: findDestination": DELIVERY,
  "db/queries/destinations.ts: folderIdsOf": DELIVERY,
  "db/queries/destinations.ts: forgetFolders": "of a destination that its owner has read",
  "db/queries/destinations.ts: renewCredentials": DELIVERY,
  "db/queries/destinations.ts: restartDeliveries": "of a destination that its owner has read",
  "db/queries/destinations.ts: suspendDestination": DELIVERY,
  "db/queries/envelope-archive.ts: findEnvelopeForDelivery": DELIVERY,
  "db/queries/file-deliveries.ts: countEnvelopes": "for an owner, of a destination that was read before",
  "db/queries/deliveries-of-files.ts: deliveriesOfFiles": "of envelopes that the caller has read",
  "db/queries/file-deliveries.ts: findFileDelivery": WEBHOOK,
  "db/queries/file-deliveries.ts: queueAccepted": "in a batch that checks the envelope's owner",
  "db/queries/file-deliveries.ts: queueSubmitted": "of the envelope of the recipient's token",
  "db/queries/file-deliveries.ts: replaceSealedDelivery": "for the operator who rotates the key",
  "db/queries/notifications.ts: insertDestinationProblem": DELIVERY,
  "db/queries/webhook-events.ts: insertFileEvent": DELIVERY,
  "db/queries/envelope-documents.ts: deleteEnvelopeDocuments": "in a batch that checks the envelope's owner",
  "db/queries/envelopes.ts: findEnvelopeToDeliver": WEBHOOK,
  "db/queries/envelope-documents.ts: insertEnvelopeDocuments":
    "in a batch that creates or checks the owner's envelope",
  "db/queries/deletion-notices.ts: announce": "for the schedule, which works for all accounts",
  "db/queries/deletion-notices.ts: queueDeletionNotices": "for the schedule, which works for all accounts",
  "db/queries/deletion-notices.ts: recordUnseenNotices": "for the schedule, which works for all accounts",
  "db/queries/deletions.ts: deleteClosedWorkspace": "after the check of its owner, or for the schedule",
  "db/queries/deletions.ts: deleteEnvelopes":
    "for the schedule, of an account or a workspace that is deleted",
  "db/queries/deletions.ts: deleteSomeRows": "for the schedule, of an account or a workspace that is deleted",
  "db/queries/envelope-documents.ts: updateEnvelopeDocument": "in a batch that checks the envelope's owner",
  "db/queries/handovers.ts: reassign": "in a batch that checks the caller's role",
  "db/queries/handovers.ts: stopWatchingSome": "in a batch that checks the caller's role",
  "db/queries/invitations.ts: deleteWorkspaceInvitation":
    "for a caller, or in a batch that checks the invitation",
  "db/queries/invitations.ts: findOpenInvitation": "for administrators",
  "db/queries/invitations.ts: findRejection": "for an owner, of a workspace that was read before",
  "db/queries/invitations.ts: findWorkspaceInvitation": "for whoever has the invitation's token",
  "db/queries/invitations.ts: hasRoom": "for the workspace of the configuration",
  "db/queries/invitations.ts: insertDefaultMember": "for the workspace of the configuration",
  "db/queries/invitations.ts: isAdmitting": "for an owner, of a workspace that was read before",
  "db/queries/membership.ts: deleteWorkspaces": "in a batch that checks the owner or the account",
  "db/queries/people.ts: listPeople": "for the people of envelopes that the caller has read",
  "db/queries/notification-claims.ts: updateClaimedNotification":
    "for the outbox, which sends for all accounts",
  "db/queries/notification-context.ts: findEnabledOwner": "for the outbox, which sends for all accounts",
  "db/queries/notifications.ts: deleteWaitingReminders": "for the schedule, which works for all accounts",
  "db/queries/outbox.ts: findOutboxMessage": "for administrators and the operator's command",
  "db/queries/outbox.ts: requeueMessages": "for administrators and the operator's command",
  "db/queries/passkeys.ts: findPasskey":
    "for whoever signs in with the credential, which the caller then verifies",
  "db/queries/quarantined-files.ts: findQuarantinedFile": "for the operator's command",
  "db/queries/quarantined-files.ts: releaseQuarantinedFile": "for the operator's command",
  "db/queries/retention.ts: deleteDueFiles": "for the schedule, which works for all accounts",
  "db/queries/quotas.ts: requireSpaceForAnswers": "for the envelope of the recipient's token",
  "db/queries/quotas.ts: requireWithinQuota": "in the batch that checks the member",
  "db/queries/replaced-links.ts: insertReplacedLink": "in the batch that changes the envelope",
  "db/queries/renewals.ts: insertRenewals": "for the schedule, which works for all accounts",
  "db/queries/renewals.ts: listDueDocuments": "for the schedule, which works for all accounts",
  "db/queries/renewals.ts: updateChecks": "for the schedule, which works for all accounts",
  "db/queries/schedule.ts: listEndingEnvelopes": "for the schedule, which works for all accounts",
  "db/queries/schedule.ts: markExpired": "for the schedule, which works for all accounts",
  "db/queries/schedule.ts: queueExpiringNotices": "for the schedule, which works for all accounts",
  "db/queries/schedule.ts: setNextReminder": "for the schedule, which works for all accounts",
  "db/queries/scheduled-envelopes.ts: planDueEnvelopes": "for the schedule, which works for all accounts",
  "db/queries/series.ts: findWrittenSeries": "after a batch that checks the caller",
  "db/queries/series.ts: insertFailureNews": "in the batch that ends the bulk send",
  "db/queries/series.ts: insertOccurrences": "for a member or the schedule, which is in its condition",
  "db/queries/series.ts: listLastOfSeries": "of a series that was read for its member or for the schedule",
  "db/queries/series.ts: listSeriesRecipients":
    "of a series that was read for its member or for the schedule",
  "db/queries/series.ts: selectBulkOf": "in the batch that records the occurrence",
  "db/queries/submissions.ts: findSubmittedSize": "of the envelope of the recipient's token",
  "db/queries/submissions.ts: updateSkippedDocuments": "of the envelope of the recipient's token",
  "db/queries/notifications.ts: findNotificationToDeliver": WEBHOOK,
  "db/queries/upload-leases.ts: deleteUploadLease": LEASE,
  "db/queries/upload-leases.ts: endUploadLease": LEASE,
  "db/queries/upload-leases.ts: findUploadLease": LEASE,
  "db/queries/upload-leases.ts: growEnvelopeLease": LEASE,
  "db/queries/upload-leases.ts: insertEnvelopeLease": "for the envelope of the recipient's token",
  "db/queries/upload-leases.ts: insertUploadLease": LEASE,
  "db/queries/upload-leases.ts: renewUploadLeases": LEASE,
  "db/queries/upload-leases.ts: revokeSilentLease": "for the cleanup, which works for all accounts",
  "db/queries/upload-leases.ts: revokeUploadLease": LEASE,
  "db/queries/uploads.ts: deleteUpload": UPLOAD,
  "db/queries/uploads.ts: findUpload": UPLOAD,
  "db/queries/uploads.ts: lockUpload": UPLOAD,
  "db/queries/validity.ts: isReplacedInParts":
    "of a document that was read for its member or for the schedule",
  "db/queries/webhook-claims.ts: recordTry": WEBHOOK,
  "db/queries/webhook-deliveries.ts: findSnapshot": WEBHOOK,
  "db/queries/webhook-events.ts: insertDocumentDeliveries": "for the schedule, which works for all accounts",
  "db/queries/webhook-events.ts: insertFailureDeliveries": "for the outbox, which sends for all accounts",
  "db/queries/webhooks.ts: endSomeDeliveries": "only what no webhook may send any more",
  "db/queries/webhooks.ts: findWebhookToDeliver": WEBHOOK,
  "db/queries/webhooks.ts: switchOffFailingWebhook": WEBHOOK,
};

const EXPORTED = /export (?:async )?(?:function\*? (\w+)(?:<[^(]*>)?|const (\w+) = (?:async )?(?=\())\s*\(/g;
const ROW_ID = /\b(?:id|ids|\w+Ids?)\b\??:/;
const sources = await readSources();
const declarations = new Map(
  sources
    .filter(({ path }) => path.startsWith("db/"))
    .flatMap(({ code }) =>
      [
        ...code.matchAll(/\btype (\w+)(?:<[^=]*>)? =([\s\S]*?);\n(?=\n|export|type|const|function|async)/g),
      ].map(([, name, body]) => [name, body] as const),
    ),
);

test("4: a query that takes a row's id takes the member or the account first", () => {
  const unscoped = sources
    .filter(({ path }) => path.startsWith("db/queries/"))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORTED)]
        .map((match) => ({
          name: `${path}: ${match[1] ?? match[2]}`,
          parameters: expanded(parameterList(code, match.index + match[0].length)),
        }))
        .filter(({ parameters }) => parameters.includes("db: Database") && takesUnscopedId(parameters)),
    );
  expect(unscoped.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT_OWNER).sort());
});

function takesUnscopedId(parameters: string): boolean {
  const row = parameters.replace(/\buserId\??:/g, "owner=").search(ROW_ID);
  const owner = parameters.search(/\b(?:userId: number|owner: Owner|(?:member|caller): Member)\b/);
  return row >= 0 && (owner < 0 || owner > row);
}

/** The text between the parentheses, nested ones included. */
function parameterList(code: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < code.length; end++)
    depth += Number(code[end] === "(") - Number(code[end] === ")");
  return code.slice(start, end - 1);
}

/** The parameters followed by the declarations of the types they name. */
function expanded(parameters: string): string {
  const types = [...parameters.matchAll(/\b[A-Z]\w+/g)].map(([name]) => declarations.get(name) ?? "");
  return [parameters, ...types].join("\n");
}
