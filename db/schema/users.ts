import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AccountWay } from "../../worker/contract/audit-actions";
import type {
  DocumentType,
  Language,
  SignInMethod,
  SignInProvider,
  SubmissionMails,
  Theme,
  UsageType,
  UsedFactor,
} from "../../worker/contract/options";
import { flag, id, partOf, timestamp } from "./columns";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    email: text().notNull().unique(),
    /**
     * The address that replaces `email` once it is confirmed from a session of the account; null unless a change waits for
     * that. An account whose address was never verified has its new address in both columns.
     */
    pendingEmail: text().unique("users_pending_email"),
    /** A PHC string, or "" for an account that signs in only through a provider. */
    password: text().notNull(),
    firstName: text(),
    lastName: text(),
    companyName: text(),
    avatarUrl: text(),
    avatarMimeType: text(),
    avatarSize: integer(),
    phoneNumber: text(),
    username: text(),
    themePreference: text().$type<Theme>().notNull().default("system"),
    languagePreference: text().$type<Language>().notNull().default("en"),
    submissionMails: text().$type<SubmissionMails>().notNull().default("at_once"),
    /** Of the daily mail, in the account's time zone. */
    digestHour: integer().notNull().default(8),
    onboardingCompleted: flag().notNull().default(false),
    usageType: text().$type<UsageType>(),
    documentType: text().$type<DocumentType>(),
    /** An IANA name; null, which counts as UTC, until a browser has sent one. */
    timeZone: text(),
    /** The workspace that was selected last, on any device. It may have been deleted since. */
    lastWorkspaceId: integer(),
    /** Whether `email` is verified. */
    isVerified: flag().notNull().default(false),
    /**
     * Whether the address is proved: its owner has access to the account. The mailed link alone only proves that the address
     * exists, since its reader may confirm an account that somebody else registered. True for the first account as well.
     */
    verifiedByOwner: flag().notNull().default(false),
    /** SHA-256 of the token mailed to the pending address or, without one, to `email`. */
    verificationToken: text(),
    verificationExpiry: timestamp(),
    /** SHA-256 of the token by which the owner of the pending address removes it from this account. */
    releaseToken: text(),
    releaseExpiry: timestamp(),
    createdAt: timestamp().notNull(),
    /** How it came; null if that was before it was recorded. */
    way: text().$type<AccountWay>(),
    /** Whether it administers the instance unless `ADMIN_EMAILS` is set: the first account, and those promoted since. */
    isAdministrator: flag(),
    /** When an administrator disabled the account; null while it is enabled. */
    disabledAt: timestamp(),
    /** When it was deleted; null unless its rows are still being deleted, in parts. It is disabled then. */
    deletedAt: timestamp(),
    /** Updated at most once an hour. */
    lastSeenAt: timestamp(),
    /** The maximum bytes of all its files; null for the instance's limit, and -1 for no limit. */
    storageQuota: integer(),
    /** Whether a recipient has ever stopped its mails; otherwise nobody need be looked up. */
    hasUnsubscribers: flag().notNull().default(false),
    /** Whether the owner is asked to keep or delete workspaces that were made before the address was proved. */
    hasSetAside: flag().notNull().default(false),
    /** The random WebAuthn user handle of all its passkeys; null until the first one is created. */
    passkeyHandle: text(),
  },
  (t) => [
    index("users_verification_token").on(t.verificationToken),
    index("users_release_token").on(t.releaseToken),
    index("users_avatar_url").on(t.avatarUrl),
    index("users_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** Sessions. `sid` is the SHA-256 of the cookie's token, so that the database contains no usable token. */
export const sessions = sqliteTable(
  "sessions",
  {
    sid: text().primaryKey(),
    sess: text({ mode: "json" }).$type<SessionData>().notNull(),
    expire: timestamp().notNull(),
    userId: partOf(() => users.id),
    /** How it began; null for sessions of earlier versions. */
    method: text().$type<SignInMethod>(),
    /** When the user last signed in or confirmed that it is them; null for sessions of earlier versions. */
    authenticatedAt: timestamp(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expire").on(t.expire)],
);

export type SessionData = {
  /** The public id of the session; it grants no access. */
  id: string;
  createdAt: string;
  /** When the cookie's lifetime was last extended. */
  renewedAt: string;
  /** Rounded to the hour. */
  usedAt: string;
  userAgent: string;
  address: string;
};

/** Attempts to sign in, for the account's owner to recognize others. Those that the rate limits reject are not stored. */
export const signIns = sqliteTable(
  "sign_ins",
  {
    id: id(),
    userId: partOf(() => users.id),
    at: timestamp().notNull(),
    method: text().$type<SignInMethod>().notNull(),
    secondFactor: text().$type<UsedFactor>(),
    address: text().notNull(),
    userAgent: text().notNull(),
    succeeded: flag().notNull(),
  },
  (t) => [index("sign_ins_user").on(t.userId), index("sign_ins_at").on(t.at)],
);

/** Accounts at sign-in providers. */
export const identities = sqliteTable(
  "identities",
  {
    provider: text().$type<SignInProvider>().notNull(),
    /** The provider's stable id of the account. */
    subject: text().notNull(),
    userId: partOf(() => users.id),
    createdAt: timestamp().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.subject] }), index("identities_user").on(t.userId)],
);

/**
 * Links that undo a change of the e-mail address, as SHA-256 of their token. Each was mailed to the address that was
 * replaced; the order of the ids is the order of the changes.
 */
export const emailReverts = sqliteTable(
  "email_reverts",
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    userId: partOf(() => users.id),
    /** The address that was replaced. */
    email: text().notNull(),
    /** Whether the account's owner had verified that address; otherwise it may be a stranger's. */
    verifiedByOwner: flag().notNull().default(false),
    /** Whether anybody had verified it. */
    isVerified: flag().notNull().default(true),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (t) => [index("email_reverts_user").on(t.userId), index("email_reverts_expires").on(t.expiresAt)],
);

/** Single-use password reset links, stored as SHA-256 of their token. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    tokenHash: text().primaryKey(),
    userId: partOf(() => users.id),
    expiresAt: timestamp().notNull(),
  },
  (t) => [index("password_resets_user").on(t.userId), index("password_resets_expires").on(t.expiresAt)],
);

export const integrations = sqliteTable(
  "integrations",
  {
    id: id(),
    userId: partOf(() => users.id),
    type: text().$type<"crm" | "esignature" | "hr">().notNull(),
    name: text().notNull(),
    status: text().$type<"connected" | "disconnected">().notNull().default("disconnected"),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
    createdAt: timestamp().notNull(),
  },
  (t) => [index("integrations_user").on(t.userId)],
);
