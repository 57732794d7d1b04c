import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DocumentType, Language, SignInProvider, Theme, UsageType } from "../../worker/contract/options";
import { flag, id, moment } from "./columns";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    email: text().notNull().unique(),
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
    onboardingCompleted: flag().notNull().default(false),
    usageType: text().$type<UsageType>(),
    documentType: text().$type<DocumentType>(),
    /** An IANA name; null, which counts as UTC, until a browser has sent one. */
    timeZone: text(),
    /** The workspace that was selected last, on any device. It may have been deleted since. */
    lastWorkspaceId: integer(),
    isVerified: flag().notNull().default(false),
    /** SHA-256 of the mailed token. */
    verificationToken: text(),
    verificationExpiry: moment(),
    createdAt: moment().notNull(),
    /** Whether it was the first account; null for accounts from before that was recorded. */
    isFirst: flag(),
    /** When an administrator disabled the account; null while it is enabled. */
    disabledAt: moment(),
    /** Updated at most once an hour. */
    lastSeenAt: moment(),
    /** The maximum bytes of all its files; null for the instance's limit, and -1 for no limit. */
    storageQuota: integer(),
  },
  (t) => [
    index("users_verification_token").on(t.verificationToken),
    index("users_avatar_url").on(t.avatarUrl),
  ],
);

/** Sessions. `sid` is the SHA-256 of the cookie's token, so that the database contains no usable token. */
export const sessions = sqliteTable(
  "sessions",
  {
    sid: text().primaryKey(),
    sess: text({ mode: "json" }).$type<SessionData>().notNull(),
    expire: moment().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
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

/** Accounts at sign-in providers. */
export const identities = sqliteTable(
  "identities",
  {
    provider: text().$type<SignInProvider>().notNull(),
    /** The provider's stable id of the account. */
    subject: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment().notNull(),
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
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address that was replaced. */
    email: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index("email_reverts_user").on(t.userId), index("email_reverts_expires").on(t.expiresAt)],
);

/** Single-use password reset links, stored as SHA-256 of their token. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    tokenHash: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: moment().notNull(),
  },
  (t) => [index("password_resets_user").on(t.userId), index("password_resets_expires").on(t.expiresAt)],
);
