import { and, count, countDistinct, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { challenges, passkeys, recoveryCodes, rememberedDevices, totp, users } from "../schema";

/** Whether the account has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Database, userId: number): Promise<boolean> {
  const [apps, keys] = await db.batch([
    db
      .select({ userId: totp.userId })
      .from(totp)
      .where(and(eq(totp.userId, userId), isNotNull(totp.confirmedAt))),
    db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1),
  ]);
  return apps.length + keys.length > 0;
}

/** Statements that remove every second factor and passkey, and forget the browsers that need none. */
export function deleteSecondFactors(db: Database, userId: number): Statement[] {
  return [totp, recoveryCodes, passkeys, rememberedDevices, challenges].map((table) =>
    db.delete(table).where(eq(table.userId, userId)),
  );
}

/** How many enabled accounts there are, and how many have a passkey for this host. */
export async function countPasswordless(
  db: Database,
  host: string,
): Promise<{ accounts: number; passwordless: number }> {
  const passwordless = sql`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id} and coalesce(${passkeys.rpId}, ${host}) = ${host})`;
  const [counted] = await db
    .select({
      accounts: sql<number>`count(*)`,
      passwordless: sql<number>`coalesce(sum(${passwordless}), 0)`,
    })
    .from(users)
    .where(sql`${users.disabledAt} is null`);
  return counted ?? { accounts: 0, passwordless: 0 };
}

/** How many passkeys are for another host than this one, and of how many accounts. */
export async function countForeignPasskeys(
  db: Database,
  host: string,
): Promise<{ passkeys: number; accounts: number }> {
  const [counted] = await db
    .select({ passkeys: count(), accounts: countDistinct(passkeys.userId) })
    .from(passkeys)
    .where(ne(passkeys.rpId, host));
  return counted ?? { passkeys: 0, accounts: 0 };
}
