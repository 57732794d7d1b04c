import type { Database } from "../../../db/client";
import { findInstanceId } from "../../../db/queries/instance";
import type { User } from "../../../db/queries/users";
import { hashToken, randomToken } from "../../lib/tokens";

/** The accounts that a cookie lists; the oldest is forgotten. */
const MAX_ACCOUNTS = 5;

/** What a browser presents: a proof for each of its accounts, by the account's id. */
export type KnownAccounts = ReadonlyMap<number, string>;

/** Who signs in: an address that the client cannot choose, its browser, and the accounts that this is known for. */
export type SignInClient = { address: string; userAgent: string; known: KnownAccounts };

/** Parses the value of a cookie; anything else counts as an unknown browser. */
export function parseAccounts(cookie: string | undefined): KnownAccounts {
  const entries = cookie?.split("~", MAX_ACCOUNTS).map((entry) => entry.split(".", 2)) ?? [];
  return new Map(entries.map(([id = "", proof = ""]) => [Number(id), proof]));
}

/** The value of the cookie with this account in front. */
export function withAccount(accounts: KnownAccounts, id: number, proof: string): string {
  const others = [...accounts].filter(([other]) => other !== id);
  const entries = [[id, proof], ...others].slice(0, MAX_ACCOUNTS);
  return entries.map((entry) => entry.join(".")).join("~");
}

/** The value of the cookie once the account has signed in. */
export const withKnownAccount = async (db: Database, known: KnownAccounts, user: Account) =>
  withAccount(known, user.id, await proofOf(db, user));

/** Whether the account has signed in in this browser since it has its password. */
export async function isKnownBrowser(db: Database, known: KnownAccounts, user: Account): Promise<boolean> {
  const proof = known.get(user.id);
  return proof !== undefined && proof === (await proofOf(db, user));
}

type Account = Pick<User, "id" | "password">;

/**
 * Derived from the password's hash or, without a password, from the instance's secret. Nobody outside knows them: it
 * needs no row, and ends with the password. It does not sign in; it only spares the browser a limit that others have
 * reached, and the account a mail.
 */
async function proofOf(db: Database, { id, password }: Account): Promise<string> {
  const secret = password || ((await findInstanceId(db)) ?? randomToken());
  return hashToken(`known browser ${id} ${secret}`);
}
