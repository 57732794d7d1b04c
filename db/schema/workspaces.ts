import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ActivityDetail, ActivityTarget, ActivityType } from "../../worker/contract/activity";
import type { LogoGround, RetentionDays, Role } from "../../worker/contract/options";
import { flag, id, partOf, timestamp } from "./columns";
import { users } from "./users";

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    /** The owner of record: who created it or, once they have left, an owner. */
    userId: partOf(() => users.id),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** The maximum bytes of all its files and texts; null for no limit but those of accounts. */
    storageQuota: integer(),
    /** Days after completion until files are deleted; null keeps them. */
    retentionDays: integer().$type<RetentionDays>(),
    /** Names the files of ZIP archives; null for the default rule. */
    fileNameRule: text(),
    /** The file types of a new requested document; null for the default ones. */
    defaultFileTypes: text({ mode: "json" }).$type<string[]>(),
    /** How its envelopes look to their recipients; null for the product's own. */
    brandName: text(),
    /** `#rrggbb`. */
    brandColor: text(),
    brandFooter: text(),
    /** `/uploads/` and the file's key in the store. */
    logoUrl: text(),
    logoMimeType: text(),
    logoSize: integer(),
    logoWidth: integer(),
    logoHeight: integer(),
    /** The themes in which it needs no plate; null if that was not measured. */
    logoReadableOn: text().$type<LogoGround>(),
    logoHasName: flag().notNull().default(false),
    /**
     * When it was deleted with so many envelopes that its rows are deleted in parts, or made for a destination that was deleted
     * with very much. It has no member.
     */
    deletedAt: timestamp(),
    /**
     * When somebody proved the account's address who may not have made this workspace; null once they have decided about it.
     * Until then it is closed like a deleted one, but its rows stay.
     */
    setAsideAt: timestamp(),
    /** Whether an import has stopped what was to be sent on a day, until somebody has read that. */
    schedulesStopped: flag().notNull().default(false),
  },
  (t) => [
    index("workspaces_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
    index("workspaces_user").on(t.userId),
    index("workspaces_logo_url").on(t.logoUrl).where(sql`logo_url is not null`),
    index("workspaces_retaining").on(t.retentionDays).where(sql`retention_days is not null`),
  ],
);

/** Who may do what in a workspace. Every statement about its contents joins this table. */
export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: partOf(() => workspaces.id),
    userId: partOf(() => users.id),
    role: text().$type<Role>().notNull(),
    createdAt: timestamp().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.userId] }), index("workspace_members_user").on(t.userId)],
);

/**
 * Links by which an owner who was removed or demoted undoes that, as SHA-256 of their token. Each was mailed to the former
 * owner.
 */
export const ownerReverts = sqliteTable(
  "owner_reverts",
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    workspaceId: partOf(() => workspaces.id),
    userId: partOf(() => users.id),
    /** Who removed or demoted them; null once that account is deleted. */
    actorId: integer().references(() => users.id, { onDelete: "set null" }),
    /** Since when they had been a member. */
    memberSince: timestamp().notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (t) => [
    index("owner_reverts_workspace").on(t.workspaceId, t.userId),
    index("owner_reverts_user").on(t.userId),
    index("owner_reverts_actor").on(t.actorId),
    index("owner_reverts_expires").on(t.expiresAt),
  ],
);

/** What the owners of a workspace see of who did what. The names are as they were. */
export const workspaceActivity = sqliteTable(
  "workspace_activity",
  {
    id: id(),
    workspaceId: partOf(() => workspaces.id),
    type: text().$type<ActivityType>().notNull(),
    /** Not a foreign key, because entries outlive accounts. */
    actorId: integer().notNull(),
    actorName: text().notNull(),
    target: text({ mode: "json" }).$type<ActivityTarget>().notNull(),
    createdAt: timestamp().notNull(),
    detail: text({ mode: "json" }).$type<ActivityDetail>(),
  },
  (t) => [
    index("workspace_activity_workspace").on(t.workspaceId),
    index("workspace_activity_gone").on(t.createdAt).where(sql`type in ('member.left', 'member.removed')`),
  ],
);

/** The names of deleted accounts that have worked in workspaces which still exist. */
export const formerUsers = sqliteTable("former_users", {
  /** The id that the account had. */
  id: integer().primaryKey(),
  firstName: text(),
  lastName: text(),
  /** Only of an account without a name. */
  email: text(),
});
