import { and, eq, inArray, isNotNull, type Placeholder, sql } from "drizzle-orm";
import type { Database } from "../client";
import { unsubscribeLinks, users, workspaceMembers, workspaces } from "../schema";
import { pick, valuesOf } from "./query-helpers";

export type UnsubscribeLink = Pick<typeof unsubscribeLinks.$inferSelect, "token" | "unsubscribedAt">;

/** The statement that reads the link of a recipient, for a batch. */
export const selectUnsubscribeLink = (
  db: Database,
  userId: number | Placeholder,
  recipientHash: string | Placeholder,
) =>
  db
    .select({ token: unsubscribeLinks.token, unsubscribedAt: unsubscribeLinks.unsubscribedAt })
    .from(unsubscribeLinks)
    .where(and(eq(unsubscribeLinks.userId, userId), eq(unsubscribeLinks.recipientHash, recipientHash)));

/** Creates the link of a recipient, unless another process just has. @returns the stored one */
export async function insertUnsubscribeLink(
  db: Database,
  userId: number,
  link: { recipientHash: string; token: string; createdAt: string },
): Promise<UnsubscribeLink> {
  const [, [stored]] = await db.batch([
    db
      .insert(unsubscribeLinks)
      .values({ userId, ...link })
      .onConflictDoNothing(),
    selectUnsubscribeLink(db, userId, link.recipientHash),
  ]);
  if (!stored) throw new Error("The link was not stored");
  return stored;
}

/** The hashes of the recipients who do not want mails from the account, and since when. */
export async function listUnsubscribed(db: Database, userId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ hash: unsubscribeLinks.recipientHash, at: sql<string>`${unsubscribeLinks.unsubscribedAt}` })
    .from(unsubscribeLinks)
    .where(and(eq(unsubscribeLinks.userId, userId), isNotNull(unsubscribeLinks.unsubscribedAt)));
  return new Map(rows.map(({ hash, at }) => [hash, at]));
}

/** The account whose mails the link stops, and since when they are stopped. */
export const findSender = (db: Database, token: string) =>
  db
    .select({
      unsubscribedAt: unsubscribeLinks.unsubscribedAt,
      ...pick(users, "firstName", "lastName", "companyName", "email"),
      // The link is for all mails of the account: of several workspaces, none must show the name of another.
      brandName: sql<
        string | null
      >`(select iif(count(*) = 1, max(${workspaces.brandName}), null) from ${workspaceMembers} join ${workspaces} on ${workspaces.id} = ${workspaceMembers.workspaceId} where ${workspaceMembers.userId} = ${users.id} and ${workspaces.deletedAt} is null)`,
    })
    .from(unsubscribeLinks)
    .innerJoin(users, eq(users.id, unsubscribeLinks.userId))
    .where(eq(unsubscribeLinks.token, token))
    .get();

/** Stops the mails, or allows them again with null. A repeated stop keeps the time of the first. */
export async function updateUnsubscribed(db: Database, token: string, at: string | null): Promise<void> {
  const link = eq(unsubscribeLinks.token, token);
  const sender = valuesOf(unsubscribeLinks.userId, link);
  await db.batch([
    db
      .update(unsubscribeLinks)
      .set({ unsubscribedAt: at === null ? null : sql`coalesce(${unsubscribeLinks.unsubscribedAt}, ${at})` })
      .where(link),
    db
      .update(users)
      .set({ hasUnsubscribers: true })
      .where(and(inArray(users.id, sender), eq(users.hasUnsubscribers, false))),
  ]);
}
