import { and, eq, exists, inArray, type SQL, sql } from "drizzle-orm";
import type { SignInProvider } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { identities, users } from "../schema";
import { type Condition, onlyWhile } from "./guard";
import { equals, hasRows, valuesOf } from "./query-helpers";
import { type EnabledSignIn, hasOtherSignIn } from "./remaining-sign-in";
import type { User } from "./users";

export async function findUserByIdentity(
  db: Database,
  provider: SignInProvider,
  subject: string,
): Promise<User | undefined> {
  const [row] = await db
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)));
  return row?.user;
}

/** The statement that links an identity. With `unchanged`, it fails unless that is true, see `isLinkOutdated`. */
export function insertIdentity(
  db: Database,
  identity: Omit<typeof identities.$inferInsert, "userId"> & { userId: number | SQL<number> },
  unchanged?: Condition,
): Statement {
  return db.insert(identities).values({ ...identity, userId: onlyWhile(unchanged, identity.userId) });
}

/** Whether the account has changed since it was read, so that the identity was not linked. */
export const isLinkOutdated = (error: unknown) => violates(error, "not null", identities.userId);

export const isAlreadyLinked = (error: unknown) => violates(error, "unique", identities.subject);

/** Whether the identity is linked to the account, and the account is enabled. */
export const isLinked = (userId: number, provider: SignInProvider, subject: string): Condition =>
  sql`exists (select 1 from ${identities} join ${users} on ${users.id} = ${identities.userId} where ${identities.provider} = ${provider} and ${identities.subject} = ${subject} and ${users.id} = ${userId} and ${users.disabledAt} is null)`;

/** The providers linked to the account, each with the date of its first link. */
export async function listProviders(db: Database, userId: number, ways: EnabledSignIn) {
  const rows = await db
    .select({
      provider: identities.provider,
      createdAt: identities.createdAt,
      removable: sql`${hasOtherSignIn(db, userId, ways, { provider: identities.provider })}`.mapWith(Boolean),
    })
    .from(identities)
    .where(eq(identities.userId, userId));
  const oldestFirst = rows.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return oldestFirst.filter(
    ({ provider }, index) => oldestFirst.findIndex((row) => row.provider === provider) === index,
  );
}

/** Whether the account has the provider, and another way to sign in. */
export function hasSpareProvider(
  db: Database,
  userId: number,
  { provider, ways }: { provider: SignInProvider; ways: EnabledSignIn },
): Condition {
  const isOther = hasOtherSignIn(db, userId, ways, { provider });
  return exists(valuesOf(identities.provider, and(equals(identities, { userId, provider }), isOther)));
}

export const deleteProvider = (db: Database, userId: number, provider: SignInProvider): Statement =>
  deleteIdentities(db, userId, eq(identities.provider, provider));

/** The statement that unlinks the account's providers, or those of the condition. */
export const deleteIdentities = (db: Database, userId: number, condition?: SQL): Statement =>
  db.delete(identities).where(and(eq(identities.userId, userId), condition));

/** Whether one of these providers is linked to the account. */
export const hasProvider = (db: Database, userId: number, providers: readonly SignInProvider[]) =>
  hasRows(
    db
      .select({ provider: identities.provider })
      .from(identities)
      .where(and(eq(identities.userId, userId), inArray(identities.provider, [...providers])))
      .limit(1),
  );
