import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ConfirmedPurpose, SignInMethod, SignInProvider } from "../../worker/contract/options";
import { flag, id, partOf, timestamp } from "./columns";
import { users } from "./users";

/** The account at a provider. */
export type ProviderProfile = {
  subject: string;
  /** Undefined if the provider does not say it. */
  email?: string | undefined;
  emailVerified: boolean;
  /** Why it is not verified, for the log. */
  doubt?: string | undefined;
  firstName: string | null;
  lastName: string | null;
};

/** An account at a provider that its owner has not yet confirmed to link, or to sign in with instead. */
export type ProviderConfirmation = {
  purpose: ConfirmedPurpose;
  provider: SignInProvider;
  profile: ProviderProfile;
  /** The page to return to. */
  next: string;
};

/**
 * Single-use questions that a client has to answer: the second step of a sign-in, a passkey's challenge, a repeated
 * sign-in, whether to link a provider or to sign in with it instead, what a provider's page grants. Triggers delete those of an account whose password, address or factors change.
 */
export const challenges = sqliteTable(
  "challenges",
  {
    /** SHA-256 of the token or, for a passkey, of the challenge that it signs. */
    tokenHash: text().primaryKey(),
    kind: text()
      .$type<"second_factor" | "passkey" | "passkey_creation" | "reauthentication" | "provider" | "grant">()
      .notNull(),
    /** Null while a passkey's challenge names no account. */
    userId: integer().references(() => users.id, { onDelete: "cascade" }),
    /** The session that may answer; null for a sign-in. */
    sid: text(),
    /** How the first step of the sign-in was done. */
    method: text().$type<SignInMethod>(),
    /** The code that was mailed, or what the callback of a grant needs, encrypted. */
    sealedCode: text(),
    providerConfirmation: text({ mode: "json" }).$type<ProviderConfirmation>(),
    failures: integer().notNull().default(0),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (t) => [index("challenges_user").on(t.userId), index("challenges_expires").on(t.expiresAt)],
);

/** Authenticator apps. The secrets are encrypted with a key that is not in the database. */
export const totp = sqliteTable(
  "totp",
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null until the first app is confirmed. */
    sealedSecret: text(),
    confirmedAt: timestamp(),
    /** The latest time step whose code was used: neither it nor an earlier one can be used again. */
    lastStep: integer().notNull().default(0),
    /** The secret that replaces `sealedSecret` once a code confirms it. */
    pendingSecret: text(),
    pendingExpiresAt: timestamp(),
  },
  (t) => [index("totp_unconfirmed").on(t.pendingExpiresAt).where(sql`confirmed_at is null`)],
);

/** Recovery codes, as SHA-256 of at least 50 random bits. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: partOf(() => users.id),
    codeHash: text().notNull(),
    createdAt: timestamp().notNull(),
    usedAt: timestamp(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/**
 * Browsers that need no second factor, by the SHA-256 of their cookie's token. Triggers delete those of an account whose
 * password, address or factors change.
 */
export const rememberedDevices = sqliteTable(
  "remembered_devices",
  {
    tokenHash: text().primaryKey(),
    userId: partOf(() => users.id),
    userAgent: text().notNull(),
    createdAt: timestamp().notNull(),
    usedAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (t) => [index("remembered_devices_user").on(t.userId), index("remembered_devices_expires").on(t.expiresAt)],
);

export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: partOf(() => users.id),
    /** Base64url, as is the public key (COSE). */
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    counter: integer().notNull(),
    transports: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The host that the key is for. */
    rpId: text(),
    name: text().notNull(),
    /** Whether the key is synchronized or backed up by its provider. */
    backedUp: flag().notNull(),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp(),
  },
  (t) => [index("passkeys_user").on(t.userId)],
);

/** Single-use links by which the operator lets the owner of an account sign in, as SHA-256 of their token. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    tokenHash: text().primaryKey(),
    userId: partOf(() => users.id),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (t) => [index("sign_in_links_user").on(t.userId), index("sign_in_links_expires").on(t.expiresAt)],
);
