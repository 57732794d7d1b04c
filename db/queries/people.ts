import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { formerUsers, users, workspaceMembers } from "../schema";
import { asColumn, jsonRows } from "./json-row";
import { assigneeIn, isMember, type Member, workspacesOf } from "./members";
import { pick, prepared } from "./query-helpers";

/** A member of a workspace, by whoever changes it. */
export type MemberKey = { workspaceId: number; userId: number };

const memberColumns = {
  userId: workspaceMembers.userId,
  ...pick(users, "firstName", "lastName", "email", "avatarUrl"),
  role: workspaceMembers.role,
  joinedAt: workspaceMembers.createdAt,
};

/** The members of a workspace that match; none if the caller is no member. */
const selectMatching = (db: Database, member: Member, workspaceId: number, which?: SQL) =>
  db
    .select(memberColumns)
    .from(workspaceMembers)
    .innerJoin(users, eq(users.id, workspaceMembers.userId))
    .where(and(eq(workspaceMembers.workspaceId, workspaceId), which, isMember(workspaceId, member)));

/** The members of a workspace, those of longest standing first; none if the caller is no member. */
export const selectMembers = (db: Database, member: Member, workspaceId: number) =>
  selectMatching(db, member, workspaceId).orderBy(
    asc(workspaceMembers.createdAt),
    sql`${workspaceMembers}.rowid`,
  );

/** The stored picture with this URL, of the caller or of somebody who shares a workspace with them. */
export const findPicture = (db: Database, member: Member, avatarUrl: string) =>
  db
    .select({
      ...pick(users, "avatarUrl", "avatarMimeType", "avatarSize"),
    })
    .from(users)
    .where(
      and(
        eq(users.avatarUrl, avatarUrl),
        sql`(${users.id} = ${member.userId} or exists (select 1 from ${workspaceMembers} as theirs where theirs.user_id = ${users.id} and theirs.workspace_id in ${workspacesOf(member)}))`,
      ),
    )
    .get();

export const findMember = (db: Database, member: Member, key: MemberKey) =>
  selectMember(db, member, key).get();

/** The query of `findMember`, for the batch that changes the member. */
export const selectMember = (db: Database, member: Member, { workspaceId, userId }: MemberKey) =>
  selectMatching(db, member, workspaceId, eq(workspaceMembers.userId, userId));

/** The account of a member or owner of the workspace, to whom its envelopes can be assigned. */
export const findAssignee = (db: Database, member: Member, { workspaceId, userId }: MemberKey) =>
  db
    .select()
    .from(users)
    .where(and(eq(users.id, assigneeIn(workspaceId, userId)), isMember(workspaceId, member)))
    .get();

/** A person of an envelope: its assignee, or who created it. An account that is gone keeps its names. */
export type Person = Pick<
  typeof users.$inferSelect,
  "id" | "firstName" | "lastName" | "hasUnsubscribers" | "timeZone"
> & {
  email: string | null;
  isGone: boolean;
};

const idsOf = () => sql`(select value from json_each(${sql.placeholder("ids")}))`;

/** The accounts with these ids, as one row. */
const accountsById = prepared((db) =>
  db
    .select({
      accounts: asColumn(
        jsonRows(
          {
            ...pick(users, "id", "firstName", "lastName", "email", "hasUnsubscribers", "timeZone"),
          },
          sql`${users} where ${inArray(users.id, idsOf())}`,
          ({ id }) => id,
        ),
      ),
    })
    .from(sql`(select 1)`)
    .prepare(),
);

const formerUsersById = prepared((db) =>
  db.select().from(formerUsers).where(inArray(formerUsers.id, idsOf())).prepare(),
);

/** The people with these ids: of envelopes that the caller may read. */
export async function listPeople(db: Database, ids: readonly number[]): Promise<Person[]> {
  const [found] = await accountsById(db).all({ ids: JSON.stringify(ids) });
  const people: Person[] = (found?.accounts ?? []).map((person) => ({ ...person, isGone: false }));
  if (people.length === ids.length) return people;
  const remaining = new Set(people.map(({ id }) => id));
  const missing = ids.filter((id) => !remaining.has(id));
  // After the accounts, so that one that is deleted meanwhile is found too.
  const former = await formerUsersById(db).all({ ids: JSON.stringify(missing) });
  return [
    ...people,
    ...former.map((person) => ({ ...person, hasUnsubscribers: false, timeZone: null, isGone: true })),
  ];
}

export const isRow = ({ workspaceId, userId }: MemberKey) =>
  and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId));

export const isInWorkspace = (key: MemberKey): SQL =>
  sql`exists (select 1 from ${workspaceMembers} where ${isRow(key)})`;
