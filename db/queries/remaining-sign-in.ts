import { and, eq, exists, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { SignInProvider } from "../../worker/contract/options";
import type { Database } from "../client";
import { identities, passkeys, users } from "../schema";
import { valuesOf } from "./query-helpers";

/** What signs in on this instance. */
export type EnabledSignIn = {
  passwords: boolean;
  /** Those that are configured. */
  providers: readonly SignInProvider[];
  /** The host whose passkeys do. */
  host: string;
};

/** Whether the account has another way to sign in than this passkey or this provider. */
export function hasOtherSignIn(
  db: Database,
  userId: number,
  { passwords, providers, host }: EnabledSignIn,
  except: { passkeyId: number } | { provider: SignInProvider | SQLiteColumn },
): SQL | undefined {
  const identity = alias(identities, "other_identity");
  const passkey = alias(passkeys, "other_passkey");
  const account = valuesOf(users.id, and(eq(users.id, userId), ne(users.password, "")));
  const otherProvider = and(
    eq(identity.userId, userId),
    inArray(identity.provider, [...providers]),
    "provider" in except ? sql`${identity.provider} <> ${except.provider}` : undefined,
  );
  const otherPasskey = and(
    eq(passkey.userId, userId),
    eq(passkey.rpId, host),
    "passkeyId" in except ? ne(passkey.id, except.passkeyId) : undefined,
  );
  return or(
    passwords ? exists(account) : undefined,
    exists(db.select({ provider: identity.provider }).from(identity).where(otherProvider)),
    exists(db.select({ id: passkey.id }).from(passkey).where(otherPasskey)),
  );
}
