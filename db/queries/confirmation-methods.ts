import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../client";
import { passkeys, recoveryCodes, totp } from "../schema";

/** The second factors that the account can use. */
export async function findSecondFactors(db: Database, userId: number) {
  const app = db
    .select({ userId: totp.userId })
    .from(totp)
    .where(and(eq(totp.userId, userId), isNotNull(totp.sealedSecret)));
  const code = db
    .select({ userId: recoveryCodes.userId })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  const passkey = db.select({ userId: passkeys.userId }).from(passkeys).where(eq(passkeys.userId, userId));
  const [row] = await db
    .select({
      totp: sql`exists ${app}`.mapWith(Boolean),
      recovery_code: sql`exists ${code}`.mapWith(Boolean),
      passkey: sql`exists ${passkey}`.mapWith(Boolean),
    })
    .from(sql`(select 1)`);
  return row;
}
