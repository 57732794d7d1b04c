import {
  and,
  asc,
  count,
  eq,
  exists,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SignInMethod } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { challenges, passkeys, recoveryCodes, rememberedDevices, totp, users } from "../schema";
import { type Condition, onlyWhile } from "./guard";
import { equals, hasRows, valuesOf } from "./query-helpers";
import type { User } from "./users";

const activeTotp = (userId: number) => and(eq(totp.userId, userId), isNotNull(totp.confirmedAt));
const unusedCodes = (userId: number) => and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));

export async function findSecondFactors(db: Database, userId: number, now: string) {
  const remembered = and(eq(rememberedDevices.userId, userId), gt(rememberedDevices.expiresAt, now));
  const [[apps], [codes], [keys], [devices]] = await db.batch([
    countRows(db, totp, activeTotp(userId)),
    countRows(db, recoveryCodes, unusedCodes(userId)),
    countRows(db, passkeys, eq(passkeys.userId, userId)),
    countRows(db, rememberedDevices, remembered),
  ]);
  return {
    totp: Boolean(apps?.count),
    recoveryCodesLeft: codes?.count ?? 0,
    passkeys: keys?.count ?? 0,
    rememberedDevices: devices?.count ?? 0,
  };
}

export type SecondFactors = Awaited<ReturnType<typeof findSecondFactors>>;

const countRows = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
  db.select({ count: count() }).from(table).where(where);

export const hasTotp = (userId: number): Condition =>
  sql`exists (select 1 from ${totp} where ${activeTotp(userId)})`;

/**
 * Whether the account has no authenticator app and, if a second factor is demanded, no passkey: one may be added while a
 * password is checked.
 */
export function lacksFactor(userId: number, demanded: boolean): Condition {
  const hasPasskey = sql`exists (select 1 from ${passkeys} where ${eq(passkeys.userId, userId)})`;
  return demanded ? sql`not (${hasTotp(userId)} or ${hasPasskey})` : sql`not ${hasTotp(userId)}`;
}

/** The row of the account's authenticator app, also one that is not confirmed yet. */
export const findTotp = (db: Database, userId: number) =>
  db.select().from(totp).where(eq(totp.userId, userId)).get();

/** The statement that stores a new secret until a code confirms it, replacing an earlier one. See `isSetUpOutdated`. */
export function insertPendingTotp(
  db: Database,
  app: { userId: number; pendingSecret: string; pendingExpiresAt: string },
  unchanged: Condition,
): Statement {
  const { pendingSecret, pendingExpiresAt } = app;
  return (
    db
      .insert(totp)
      // SQLite chooses a number where its key, the account's id, is NULL.
      .values({ ...app, lastStep: onlyWhile(unchanged, 0) })
      .onConflictDoUpdate({ target: totp.userId, set: { pendingSecret, pendingExpiresAt } })
  );
}

/** Whether a secret was not stored because the account or its session has changed since. */
export const isSetUpOutdated = (error: unknown) => violates(error, "not null", totp.lastStep);

/** Whether this is the secret that waits for a code. */
export const isPendingTotp = (
  userId: number,
  { pendingSecret, now }: { pendingSecret: string; now: string },
): Condition =>
  exists(valuesOf(totp.userId, and(equals(totp, { userId, pendingSecret }), gt(totp.pendingExpiresAt, now))));

/** The statement that makes the waiting secret the account's, and claims the step of its first code. */
export function confirmTotp(
  db: Database,
  userId: number,
  { confirmedAt, lastStep }: { confirmedAt: string; lastStep: number },
): Statement {
  return db
    .update(totp)
    .set({
      sealedSecret: sql`${totp.pendingSecret}`,
      pendingSecret: null,
      pendingExpiresAt: null,
      confirmedAt,
      lastStep,
    })
    .where(eq(totp.userId, userId));
}

export function replaceRecoveryCodes(
  db: Database,
  userId: number,
  { codeHashes, createdAt }: { codeHashes: readonly string[]; createdAt: string },
): Statement[] {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash, createdAt }))),
  ];
}

/**
 * Statements that remove the authenticator app and the recovery codes; with `since`, those set up from then on. Recovery
 * codes do not outlive the app.
 */
export function deleteTotp(db: Database, userId: number, since?: string): Statement[] {
  const from = (column: typeof totp.confirmedAt | typeof recoveryCodes.createdAt) =>
    since === undefined ? undefined : gte(column, since);
  return [
    db.delete(totp).where(and(eq(totp.userId, userId), from(totp.confirmedAt))),
    db.update(totp).set({ pendingSecret: null }).where(eq(totp.userId, userId)),
    db
      .delete(recoveryCodes)
      .where(
        and(
          eq(recoveryCodes.userId, userId),
          since === undefined
            ? undefined
            : sql`(not ${hasTotp(userId)} or ${gte(recoveryCodes.createdAt, since)})`,
        ),
      ),
  ];
}

/** A code that was found right: a step of the authenticator app with this secret, or an unused recovery code. */
export type Proof = { sealedSecret: string; step: number } | { codeHash: string };

const unusedCode = (userId: number, codeHash: string) =>
  and(unusedCodes(userId), eq(recoveryCodes.codeHash, codeHash));
const unusedStep = (userId: number, { sealedSecret, step }: Extract<Proof, { step: number }>) =>
  and(activeTotp(userId), eq(totp.sealedSecret, sealedSecret), lt(totp.lastStep, step));

export const isUnused = (userId: number, proof: Proof): Condition =>
  "codeHash" in proof
    ? sql`exists (select 1 from ${recoveryCodes} where ${unusedCode(userId, proof.codeHash)})`
    : sql`exists (select 1 from ${totp} where ${unusedStep(userId, proof)})`;

/** The statement that marks the code as used, unless it is. */
export function claimProof(db: Database, userId: number, proof: Proof, now: string) {
  return "codeHash" in proof
    ? db
        .update(recoveryCodes)
        .set({ usedAt: now })
        .where(unusedCode(userId, proof.codeHash))
        .returning({ userId: recoveryCodes.userId })
    : db
        .update(totp)
        .set({ lastStep: proof.step })
        .where(unusedStep(userId, proof))
        .returning({ userId: totp.userId });
}

/** Whether the account has this recovery code, and it is unused. */
export const hasRecoveryCode = (db: Database, userId: number, codeHash: string) =>
  hasRows(
    db.select({ codeHash: recoveryCodes.codeHash }).from(recoveryCodes).where(unusedCode(userId, codeHash)),
  );

/** How many wrong answers end a challenge. */
const CHALLENGE_TRIES = 5;

/** Stores the second step of a sign-in, unless the credentials have changed since they were checked. */
export function insertSecondStep(
  db: Database,
  step: {
    tokenHash: string;
    userId: number;
    unchanged: Condition;
    method: SignInMethod;
    createdAt: string;
    expiresAt: string;
  },
) {
  const { tokenHash, unchanged, ...rest } = step;
  return db
    .insert(challenges)
    .values({ ...rest, kind: "second_factor", tokenHash: onlyWhile(unchanged, tokenHash) });
}

/** Whether the second step was not stored because the credentials have changed since they were checked. */
export const isStepOutdated = (error: unknown) => violates(error, "not null", challenges.tokenHash);

const openStep = (tokenHash: string, now: string) =>
  and(equals(challenges, { tokenHash, kind: "second_factor" }), gt(challenges.expiresAt, now));

/** The account whose second step this is, and how the first one was done. */
export async function findSecondStep(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<{ user: User; method: SignInMethod } | undefined> {
  const [row] = await db
    .select({ user: users, method: challenges.method })
    .from(challenges)
    .innerJoin(users, eq(users.id, challenges.userId))
    .where(and(openStep(tokenHash, now), lt(challenges.failures, CHALLENGE_TRIES), isNull(users.disabledAt)));
  return row?.method ? { user: row.user, method: row.method } : undefined;
}

/** Counts a try before its code is checked, so that concurrent tries count as well. @returns whether one was left */
export const countStepTry = (db: Database, tokenHash: string, now: string) =>
  hasRows(
    db
      .update(challenges)
      .set({ failures: sql`${challenges.failures} + 1` })
      .where(and(openStep(tokenHash, now), lt(challenges.failures, CHALLENGE_TRIES)))
      .returning({ tokenHash: challenges.tokenHash }),
  );

/** Whether the second step is the account's, which is enabled, and neither used nor void. */
export const isOpenStep = (db: Database, userId: number, tokenHash: string, now: string): Condition =>
  exists(
    db
      .select({ id: users.id })
      .from(challenges)
      .innerJoin(users, eq(users.id, challenges.userId))
      .where(and(openStep(tokenHash, now), eq(users.id, userId), isNull(users.disabledAt))),
  );

export const deleteChallenge = (db: Database, tokenHash: string): Statement =>
  db.delete(challenges).where(eq(challenges.tokenHash, tokenHash));

export const hasSecondFactor = (db: Database, userId: number) =>
  hasRows(
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), not(lacksFactor(userId, true)))),
  );

/** Statements that remove every second factor and passkey, and forget the browsers that need none. */
export function deleteSecondFactors(db: Database, userId: number): Statement[] {
  return [totp, recoveryCodes, passkeys, rememberedDevices, challenges].map((table) =>
    db.delete(table).where(eq(table.userId, userId)),
  );
}

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

/** The latest sealed text of each kind: of an authenticator app, a confidential answer and a destination. */
export const listLatestSealed = (db: Database) =>
  db.all<{ sealed: string }>(
    sql`select sealed_secret as sealed from (select sealed_secret from totp where sealed_secret is not null order by user_id desc limit 1)
      union all select value ->> '$' from (select value from answers where sealed and value is not null order by id desc limit 1)
      union all select credentials from (select credentials from destinations where credentials is not null order by id desc limit 1)`,
  );

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
