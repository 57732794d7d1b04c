import { and, eq, gt, sql } from "drizzle-orm";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { rememberedDevices } from "../schema";
import type { Condition } from "./guard";
import { equals, hasRows } from "./query-helpers";

/** Statements that remember a device, and forget the account's oldest ones if it has too many. */
export function insertDevice(db: Database, device: typeof rememberedDevices.$inferInsert): Statement[] {
  const own = eq(rememberedDevices.userId, device.userId);
  const surplus = sql`(select rowid from ${rememberedDevices} where ${own} order by rowid desc limit 1 offset ${SERVER_LIMITS.devicesPerAccount})`;
  return [
    db.insert(rememberedDevices).values(device),
    db.delete(rememberedDevices).where(and(own, sql`rowid <= ${surplus}`)),
  ];
}

const validDevice = (userId: number, tokenHash: string, now: string) =>
  and(equals(rememberedDevices, { tokenHash, userId }), gt(rememberedDevices.expiresAt, now));

export const isRemembered = (db: Database, userId: number, tokenHash: string, now: string) =>
  hasRows(
    db
      .select({ tokenHash: rememberedDevices.tokenHash })
      .from(rememberedDevices)
      .where(validDevice(userId, tokenHash, now)),
  );

/** The same as a condition. */
export const remembersDevice = (userId: number, tokenHash: string, now: string): Condition =>
  sql`exists (select 1 from ${rememberedDevices} where ${validDevice(userId, tokenHash, now)})`;

/** The statement that records the use of a device, and remembers it for longer. */
export function renewDevice(
  db: Database,
  userId: number,
  tokenHash: string,
  { usedAt, expiresAt }: { usedAt: string; expiresAt: string },
): Statement {
  return db
    .update(rememberedDevices)
    .set({ usedAt, expiresAt })
    .where(equals(rememberedDevices, { tokenHash, userId }));
}

export function deleteDevices(db: Database, userId: number) {
  return db.delete(rememberedDevices).where(eq(rememberedDevices.userId, userId));
}
