import { runBatch, type Statement } from "../../../db/client";
import { conflictOf } from "../../../db/errors";
import { isAccountFull } from "../../../db/queries/account-guards";
import {
  type BulkSendToWork,
  failRecipients,
  findBulkSendToWork,
  finishBulkSend,
  isRecipientTaken,
  takeRecipient,
  type WaitingRecipient,
} from "../../../db/queries/bulk-sends";
import { isTemplateMissing } from "../../../db/queries/envelopes";
import { insertFailureNews } from "../../../db/queries/series";
import { findUserById, type User } from "../../../db/queries/users";
import { isWorkspaceMissing } from "../../../db/queries/workspaces";
import type { SharedInput } from "../../contract/bulk-sends";
import { DOCUMENT_DEFAULTS } from "../../contract/documents";
import { SERVER_LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, causes } from "../../errors";
import { sleep } from "../../lib/retry";
import { randomToken } from "../../lib/tokens";
import { StorageFullError } from "../../ports/file-store";
import { deliverSoon, recipientsOf } from "../notifications/outbox";
import { findUnsubscribed, type Unsubscribed } from "../notifications/unsubscribe.service";
import { missing } from "../workspaces/workspaces.service";
import { envelopeFields } from "./envelope-fields";
import { insertStatements } from "./envelopes.service";
import { columnsOf, filledFor, type StoredRecipient, withColumns } from "./placeholders";
import { requireAssignee } from "./requestor";
import type { Sender } from "./sending-limits";

/** Where each batch is a call. */
const LARGE_BATCH = 25;
/** A longer batch would delay other requests of the process: in recipients, and in all of their documents. */
const SMALL_BATCH = 5;
const SMALL_BATCH_DOCUMENTS = 60;
/** A batch with more documents than this has a turn of the event loop of its own. */
const IN_SHARED_TURN = 10;
const NEVER = new AbortController().signal;

/** How many batches a run may still make. The schedule continues. */
type Budget = { batches: number };
export const budgetOf = ({ runLimits }: Dependencies): Budget => ({
  batches: runLimits?.batches ?? Number.POSITIVE_INFINITY,
});

/**
 * Creates the envelopes of waiting recipients, each in the batch that takes the recipient: any number of processes that
 * are killed at any time create exactly one for each. Ends if another process works on the same bulk send.
 */
export async function runBulkSend(
  deps: Dependencies,
  id: number,
  budget: Budget = budgetOf(deps),
): Promise<void> {
  const found = await findBulkSendToWork(deps.db, id);
  if (!found) return;
  const before = budget.batches;
  try {
    const work = await prepare(deps, found.bulk, found.waiting);
    if (work instanceof AppError) await failRest(deps, found.bulk, work);
    else await createAll(deps, work, found.waiting, budget);
  } finally {
    // The schedule sends the webhooks, and the mails of a Worker, which has 30 seconds after its response.
    if (!deps.runLimits || before - budget.batches <= 1) deliverSoon(deps);
  }
}

/** The same in the background, in turn over the accounts. */
export const startBulkSend = (deps: Dependencies, userId: number, id: number): void =>
  deps.background.run("bulk send", () =>
    deps.memory.bulkRuns.run([String(userId)], async () => {
      // The call that has stored it has had its turn.
      await deps.takeTurn?.();
      await runBulkSend(deps, id);
    }),
  );

/** One that an earlier version has stored lacks the fields that came later. */
export const withNewFields = <Envelope extends Pick<SharedInput, "documents" | "prefill">>(
  envelope: Envelope,
): Envelope => ({
  ...envelope,
  prefill: envelope.prefill ?? false,
  documents: envelope.documents.map((entry) => ({ ...DOCUMENT_DEFAULTS, ...entry })),
});

type Work = {
  bulk: BulkSendToWork;
  shared: SharedInput;
  sender: Sender;
  requestor: User;
  unsubscribed: Unsubscribed;
  columns: ReadonlySet<string>;
};

/** What all envelopes have in common, or why none can be created any more. */
async function prepare(
  deps: Dependencies,
  bulk: BulkSendToWork,
  waiting: readonly WaitingRecipient[],
): Promise<Work | AppError> {
  const user = await findUserById(deps.db, bulk.createdBy);
  if (!user || !bulk.envelope) return appError("workspace_not_found");
  if (user.disabledAt !== null) return appError("account_disabled");
  if (bulk.tokenExpiresAt !== null && bulk.tokenExpiresAt <= deps.clock.now().toISOString())
    return appError("bulk_send_stopped");
  const shared = withNewFields(bulk.envelope as SharedInput);
  const sender: Sender = { userId: user.id, role: "member", address: bulk.address, user };
  try {
    const requestor = await requireAssignee(deps, sender, bulk.workspaceId, shared.assigneeId ?? user.id);
    const recipients = waiting.map(({ recipient }) => recipient as StoredRecipient);
    const addresses = recipients.map(({ recipientEmail }) => recipientEmail);
    const unsubscribed = await findUnsubscribed(deps, requestor, addresses);
    return { bulk, shared, sender, requestor, unsubscribed, columns: columnsOf(recipients) };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function createAll(
  deps: Dependencies,
  work: Work,
  waiting: readonly WaitingRecipient[],
  budget: Budget,
) {
  const { db, runLimits, stopping } = deps;
  const { id, workspaceId } = work.bulk;
  const withinDocuments = Math.floor(SMALL_BATCH_DOCUMENTS / Math.max(1, work.shared.documents.length));
  const size = runLimits ? LARGE_BATCH : Math.max(1, Math.min(SMALL_BATCH, withinDocuments));
  let position = 0;
  // How many recipients to try one by one, after a batch of them has failed.
  let alone = 0;
  for (; budget.batches > 0 && position < waiting.length && !stopping?.aborted; budget.batches -= 1) {
    if (await isFull(deps)) return deps.log.warn("bulk send waits for free space", { bulkId: id });
    const started = performance.now();
    const recipients = waiting.slice(position, position + (alone > 0 ? 1 : size));
    // What is short may share a turn of the event loop, and its fsync, with other bulk sends.
    if (recipients.length * work.shared.documents.length > IN_SHARED_TURN) await deps.takeTurn?.();
    const statements = recipients.flatMap((recipient) => statementsFor(deps, work, recipient));
    try {
      await runBatch(db, [...statements, ...finish(deps, work.bulk)]);
      position += recipients.length;
      alone = Math.max(alone - 1, 0);
      // The database is in this process: other requests get as much of its time.
      if (!runLimits && budget.batches > 1) await sleep(performance.now() - started, stopping ?? NEVER);
    } catch (error) {
      if (isRecipientTaken(error)) return;
      if (isWorkspaceMissing(error)) {
        const row = { kind: "workspace", id: workspaceId } as const;
        return failRest(deps, work.bulk, await missing(deps, work.sender, "workspace_not_found", row));
      }
      if (isTemplateMissing(error)) return failRest(deps, work.bulk, appError("template_not_found"));
      if (!conflictOf(error)) throw error;
      // One recipient's failure must not stop the others.
      const [recipient] = recipients;
      if (alone === 0 || !recipient) {
        alone = recipients.length;
        continue;
      }
      if (isAccountFull(error))
        return failRest(
          deps,
          work.bulk,
          appError("account_full", { params: { max: SERVER_LIMITS.envelopesPerAccount } }),
        );
      deps.log.error("bulk recipient failed", { bulkId: id, error: causes(error) });
      await runBatch(db, [
        failRecipients(db, id, appError("internal"), [recipient.position]),
        ...finish(deps, work.bulk),
      ]);
      position += 1;
      alone -= 1;
    }
  }
}

async function isFull({ requireSpace }: Dependencies): Promise<boolean> {
  try {
    await requireSpace?.(0);
    return false;
  } catch (error) {
    if (error instanceof StorageFullError) return true;
    throw error;
  }
}

async function failRest(deps: Dependencies, bulk: BulkSendToWork, error: AppError): Promise<void> {
  await runBatch(deps.db, [failRecipients(deps.db, bulk.id, error), ...finish(deps, bulk)]);
}

/** The statements that end a bulk send without waiting recipients. What failed of a series is told by mail. */
function finish({ db, clock }: Dependencies, { id, seriesId }: BulkSendToWork): Statement[] {
  const now = clock.now().toISOString();
  return [finishBulkSend(db, id, now), ...(seriesId === null ? [] : [insertFailureNews(db, id, now)])];
}

/** The statements that create the envelope of one recipient, or record why there is none. */
function statementsFor(
  deps: Dependencies,
  work: Work,
  { position, recipient }: WaitingRecipient,
): Statement[] {
  const { db, clock } = deps;
  const { bulk, requestor, sender } = work;
  const now = clock.now();
  try {
    const fields = fieldsFor(work, recipient as StoredRecipient, now);
    return [
      takeRecipient(db, bulk.id, position),
      ...insertStatements(deps, sender, {
        ...fields,
        links: {
          workspaceId: bulk.workspaceId,
          contactId: fields.input.contactId ?? null,
          templateId: fields.input.templateId ?? null,
        },
        requestor,
        submissionToken: randomToken(),
        createdAt: now.toISOString(),
        bulk: { bulkId: bulk.id, bulkIndex: position, seriesId: bulk.seriesId },
      }),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [failRecipients(db, bulk.id, error, [position])];
  }
}

/** @throws AppError `missing_placeholder`, `validation`, `recipient_unsubscribed` */
function fieldsFor(
  { bulk, shared, requestor, unsubscribed, columns }: Work,
  recipient: StoredRecipient,
  now: Date,
) {
  // Placeholders and the due date mean the day of the call, placeholders of a series the day for which it was planned.
  const called = { requestor, now: new Date(bulk.createdAt), day: bulk.day ?? undefined, columns };
  const input =
    shared.sendOn == null ? filledFor(shared, recipient, called) : withColumns(shared, recipient, columns);
  const { timeZone } = requestor;
  const fields = envelopeFields(input, { now, timeZone, checkedAt: called.now });
  const messages = recipientsOf(fields);
  if (messages.every(({ channel, recipient }) => channel === "email" && unsubscribed.has(recipient)))
    throw appError("recipient_unsubscribed", { params: { recipient: fields.customerEmail } });
  return { input, fields };
}
