import { and, asc, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import type { Database } from "../client";
import { totp, users } from "../schema";

const PAGE = 100;

export type SealedSecrets = Pick<typeof totp.$inferSelect, "userId" | "sealedSecret" | "pendingSecret"> & {
  email: string;
};

/** The encrypted secrets of all accounts, in pages. Mailed codes are left out: they expire within minutes. */
export async function* readSealedSecrets(db: Database): AsyncGenerator<SealedSecrets[]> {
  for (let after = 0; ; ) {
    const page = await db
      .select({
        userId: totp.userId,
        email: users.email,
        sealedSecret: totp.sealedSecret,
        pendingSecret: totp.pendingSecret,
      })
      .from(totp)
      .innerJoin(users, eq(users.id, totp.userId))
      .where(and(gt(totp.userId, after), or(isNotNull(totp.sealedSecret), isNotNull(totp.pendingSecret))))
      .orderBy(asc(totp.userId))
      .limit(PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.userId ?? 0;
  }
}

/** Replaces the secrets by others, unless the account has changed them since they were read. */
export async function replaceSealedSecrets(
  db: Database,
  { userId, sealedSecret, pendingSecret }: SealedSecrets,
  next: Pick<SealedSecrets, "sealedSecret" | "pendingSecret">,
): Promise<void> {
  await db
    .update(totp)
    .set({ sealedSecret: next.sealedSecret, pendingSecret: next.pendingSecret })
    .where(
      and(
        eq(totp.userId, userId),
        sql`${totp.sealedSecret} is ${sealedSecret}`,
        sql`${totp.pendingSecret} is ${pendingSecret}`,
      ),
    );
}
