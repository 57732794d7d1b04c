import { eq, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { webhookDeliveries, webhooks } from "../schema";
import { nextOwner } from "./handovers";
import { hasRows } from "./query-helpers";

/** Messages to webhooks that one batch passes on. */
const DELIVERIES_AT_ONCE = 500;

/** Whether an account has so many messages to webhooks that they are to be passed on in parts, before it is deleted. */
export const hasManyDeliveries = (db: Database, userId: number): Promise<boolean> =>
  hasRows(
    db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.userId, userId))
      .limit(1)
      .offset(DELIVERIES_AT_ONCE - 1),
  );

/** The statements that pass on some of them to whom the webhook belongs or will, and delete those that end with the account. */
export function passOnSomeDeliveries(db: Database, userId: number): Statement[] {
  const heir = sql<number>`(select coalesce(nullif(hook.user_id, ${userId}), ${nextOwner(sql`hook.workspace_id`, userId)}) from ${webhooks} as hook where hook.id = ${webhookDeliveries.webhookId})`;
  const some = sql`${webhookDeliveries.id} in (select own.id from ${webhookDeliveries} as own where own.user_id = ${userId} limit ${DELIVERIES_AT_ONCE})`;
  return [
    db.delete(webhookDeliveries).where(sql`${some} and ${heir} is null`),
    db.update(webhookDeliveries).set({ userId: heir }).where(sql`${some} and ${heir} is not null`),
  ];
}
