import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DocumentType, Language, SignInProvider, Theme, UsageType } from "../../worker/contract/options";
import { flag, id, moment } from "./columns";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    email: text().notNull().unique(),
    /** A PHC string, or "" for an account that only signs in through a provider. */
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
    isVerified: flag().notNull().default(false),
    /** The SHA-256 of the token that was mailed. */
    verificationToken: text(),
    verificationExpiry: moment(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index("users_verification_token").on(t.verificationToken),
    index("users_avatar_url").on(t.avatarUrl),
  ],
);

/** Sign-ins. `sid` is the SHA-256 of the cookie's token: what the database holds opens nothing. */
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
  /** What its owner may know it by: it opens nothing. */
  id: string;
  createdAt: string;
  /** When the cookie was last given more time. */
  renewedAt: string;
  /** To the hour. */
  usedAt: string;
  userAgent: string;
  address: string;
};

/** Accounts elsewhere that a user signs in with. */
export const identities = sqliteTable(
  "identities",
  {
    provider: text().$type<SignInProvider>().notNull(),
    /** The provider's own, unchanging id of the person. */
    subject: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.subject] }), index("identities_user").on(t.userId)],
);

/** One-use links to choose a new password; the SHA-256 of each token, apart from every other kind. */
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
