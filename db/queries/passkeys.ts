import { and, count, countDistinct, eq, exists, gt, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { challenges, passkeys, users } from "../schema";
import { isBelowLimit } from "./account-guards";
import { type Condition, onlyWhile } from "./guard";
import { equals, hasRows, valuesOf } from "./query-helpers";
import { type EnabledSignIn, hasOtherSignIn } from "./remaining-sign-in";

export type Passkey = typeof passkeys.$inferSelect;
type ChallengeKind = "passkey" | "passkey_creation";

export function listPasskeys(db: Database, userId: number): Promise<Passkey[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.id);
}

/** The user handle of the account's passkeys: the given one, unless it has one. */
export async function requirePasskeyHandle(db: Database, userId: number, handle: string): Promise<string> {
  const [row] = await db
    .update(users)
    .set({ passkeyHandle: sql`coalesce(${users.passkeyHandle}, ${handle})` })
    .where(eq(users.id, userId))
    .returning({ handle: users.passkeyHandle });
  return row?.handle ?? handle;
}

/** Stores a challenge; to create a passkey, only the account's session may answer it. */
export async function insertPasskeyChallenge(
  db: Database,
  challenge: {
    tokenHash: string;
    createdAt: string;
    expiresAt: string;
    creator?: { userId: number; sid: string };
  },
): Promise<void> {
  const { creator, ...row } = challenge;
  const kind: ChallengeKind = creator ? "passkey_creation" : "passkey";
  await db.insert(challenges).values({ ...row, ...creator, kind });
}

/** Claims a challenge, in one statement. @returns whether it was open, and this call is the only one to have it */
export function claimPasskeyChallenge(
  db: Database,
  tokenHash: string,
  now: string,
  creator?: { userId: number; sid: string },
): Promise<boolean> {
  const kind: ChallengeKind = creator ? "passkey_creation" : "passkey";
  return hasRows(
    db
      .delete(challenges)
      .where(
        and(
          equals(challenges, { tokenHash, kind, ...(creator ?? { userId: null }) }),
          gt(challenges.expiresAt, now),
        ),
      )
      .returning({ tokenHash: challenges.tokenHash }),
  );
}

/** The statement that stores a passkey, unless the account has too many. */
export function insertPasskey(db: Database, passkey: Omit<typeof passkeys.$inferInsert, "id">): Statement {
  const { userId } = passkey;
  return db.insert(passkeys).values({
    ...passkey,
    userId: onlyWhile(isBelowLimit(passkeys, userId, LIMITS.passkeysPerAccount), userId),
  });
}

/** Whether a passkey was not stored because the account has too many. */
export const arePasskeysFull = (error: unknown) => violates(error, "not null", passkeys.userId);
export const isPasskeyKnown = (error: unknown) => violates(error, "unique", passkeys.credentialId);

/** The passkey with this credential, and its account. */
export const findPasskey = (db: Database, credentialId: string) =>
  db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId))
    .get();

/** Whether the account has the passkey, and is enabled. */
export const hasPasskey = (userId: number, credentialId: string): Condition =>
  sql`exists (select 1 from ${passkeys} join ${users} on ${users.id} = ${passkeys.userId} where ${passkeys.credentialId} = ${credentialId} and ${users.id} = ${userId} and ${users.disabledAt} is null)`;

/** Records a use. @returns whether the counter has not gone back; keys that do not count always send 0 */
export const updatePasskeyUse = (
  db: Database,
  userId: number,
  id: number,
  { counter, backedUp, at }: { counter: number; backedUp: boolean; at: string },
) =>
  hasRows(
    db
      .update(passkeys)
      .set({ counter, backedUp, lastUsedAt: at })
      .where(
        and(
          equals(passkeys, { id, userId }),
          or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`)),
        ),
      )
      .returning({ id: passkeys.id }),
  );

/** @returns the renamed passkey; undefined if the account has none with this id */
export const renamePasskey = (db: Database, userId: number, id: number, name: string) =>
  db.update(passkeys).set({ name }).where(equals(passkeys, { id, userId })).returning().get();

/** Whether the account has the passkey, and another way to sign in. */
export function hasSparePasskey(
  db: Database,
  userId: number,
  { id, ways }: { id: number; ways: EnabledSignIn },
): Condition {
  const isOther = hasOtherSignIn(db, userId, ways, { passkeyId: id });
  return exists(valuesOf(passkeys.id, and(equals(passkeys, { id, userId }), isOther)));
}

export const deletePasskey = (db: Database, userId: number, id: number): Statement =>
  db.delete(passkeys).where(equals(passkeys, { id, userId }));

/** The statement that removes the account's passkeys, or those of the condition. */
export const deletePasskeys = (db: Database, userId: number, condition?: SQL): Statement =>
  db.delete(passkeys).where(and(eq(passkeys.userId, userId), condition));

/** How many enabled accounts there are, and how many have a passkey for this host. */
export async function countPasswordless(
  db: Database,
  host: string,
): Promise<{ accounts: number; passwordless: number }> {
  const passwordless = sql`exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id} and ${passkeys.rpId} = ${host})`;
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
