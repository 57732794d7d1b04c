import { and, eq, exists, gte, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { SignInProvider } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { identities, passkeys, users } from "../schema";
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

export function insertIdentity(
  db: Database,
  identity: Omit<typeof identities.$inferInsert, "userId"> & {
    userId: SQL<number>;
  },
): Statement {
  return db.insert(identities).values(identity);
}

/** Whether the account has changed since it was read, so that the identity was not linked. */
export const isLinkOutdated = (error: unknown) => violates(error, "not null", identities.userId);

/** Whether the identity is already linked. */
export const isAlreadyLinked = (error: unknown) => violates(error, "unique", identities.subject);

/** The enabled account that the identity is linked to, as a subquery. Yields NULL if there is none. */
export const ownerByIdentity = (provider: SignInProvider, subject: string) =>
  sql<number>`(select ${identities.userId} from ${identities} join ${users} on ${users.id} = ${identities.userId} where ${identities.provider} = ${provider} and ${identities.subject} = ${subject} and ${users.disabledAt} is null)`;

/** The providers linked to the account, each with the date of its first link. */
export async function listProviders(db: Database, userId: number) {
  const rows = await db
    .select({
      provider: identities.provider,
      createdAt: identities.createdAt,
      removable: sql`${otherSignInMethod(db, userId)}`.mapWith(Boolean),
    })
    .from(identities)
    .where(eq(identities.userId, userId));
  const oldestFirst = rows.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return oldestFirst.filter(
    ({ provider }, index) => oldestFirst.findIndex((row) => row.provider === provider) === index,
  );
}

/** Unlinks the provider, unless it is the only way to sign in. @returns whether it was unlinked */
export async function deleteProvider(
  db: Database,
  userId: number,
  provider: SignInProvider,
): Promise<boolean> {
  const rows = await db
    .delete(identities)
    .where(
      and(eq(identities.userId, userId), eq(identities.provider, provider), otherSignInMethod(db, userId)),
    )
    .returning({ provider: identities.provider });
  return rows.length > 0;
}

/** The statement that unlinks every provider of the account; with `since`, those linked from then on. */
export function deleteIdentities(db: Database, userId: number, since?: string): Statement {
  return db
    .delete(identities)
    .where(
      and(eq(identities.userId, userId), since === undefined ? undefined : gte(identities.createdAt, since)),
    );
}

/** A password, a passkey, or another provider than the row's. */
function otherSignInMethod(db: Database, userId: number): SQL | undefined {
  const other = alias(identities, "other");
  return or(
    exists(
      db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, userId), ne(users.password, ""))),
    ),
    exists(
      db
        .select({ provider: other.provider })
        .from(other)
        .where(and(eq(other.userId, userId), ne(other.provider, identities.provider))),
    ),
    exists(db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId))),
  );
}
