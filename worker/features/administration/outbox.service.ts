import type { Actor } from "../../../db/queries/audit-log";
import {
  countRetryable,
  findOutboxMessage,
  type OutboxMessage,
  type Retried,
  requeueMessages,
} from "../../../db/queries/outbox";
import { appError, required } from "../../errors";
import { withoutRecipients } from "../../lib/log-text";
import { type Administration, record } from "./accounts.service";

/** How many failed messages one call queues again: each also updates its envelope, and others wait meanwhile. */
const RETRIED_AT_ONCE = 500;

/** A message as administrators see it: without its recipient. */
export function messageView({ recipient: _recipient, lastError, ...shown }: OutboxMessage) {
  return { ...shown, error: lastError && withoutRecipients(lastError) };
}

/** @throws AppError `not_found` */
export const requireMessage = ({ db, clock }: Administration, id: number): Promise<OutboxMessage> =>
  required(findOutboxMessage(db, id, clock.now().toISOString()), "not_found");

/**
 * Queues a message again. Before it is sent, it is checked again whether it is still wanted.
 * @throws AppError `not_found`, `message_ended`
 */
export async function retryMessage(deps: Administration, actor: Actor, id: number): Promise<void> {
  const { canRetry, accountId } = await requireMessage(deps, id);
  if (!canRetry) throw appError("message_ended");
  const subject = accountId === null ? { email: "" } : { userId: accountId };
  await requeue(deps, actor, { id }, { subject, detail: { message: id } });
}

/** Queues the messages again that have failed until this time, up to 500. @returns how many are left */
export async function retryFailedMessages(
  deps: Administration,
  actor: Actor,
  until = deps.clock.now().toISOString(),
): Promise<number> {
  await requeue(deps, actor, { limit: RETRIED_AT_ONCE, until }, { subject: { email: "" } });
  return countRetryable(deps.db, until);
}

function requeue(
  deps: Administration,
  actor: Actor,
  which: Retried,
  entry: Pick<Parameters<typeof record>[2], "subject" | "detail">,
): Promise<void> {
  const createdAt = deps.clock.now().toISOString();
  const requeued = requeueMessages(deps.db, which, createdAt);
  return record(deps, actor, { ...entry, action: "messages_retried", createdAt }, [requeued], which);
}
