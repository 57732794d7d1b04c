import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  lte,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { PagingQuery } from "../../worker/contract/administration";
import { ACCOUNT_WAYS, type AccountWay } from "../../worker/contract/audit-actions";
import { LIMITS } from "../../worker/contract/limits";
import type { NotificationKind } from "../../worker/contract/notifications";
import type { Role } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  apiTokens,
  invitations,
  notifications,
  users,
  workspaceActivity,
  workspaceMembers,
  workspaces,
} from "../schema";
import { type Condition, onlyWhile } from "./guard";
import { deleteInvitations } from "./handovers";
import { expireEarlierTokens, isMember, type Member } from "./members";
import { equals, listed, pageOf, pick, valuesOf } from "./query-helpers";
import { isFirstAccount, VERIFIED } from "./users";
import { changedRole, insertActivities, insertActivity, personTarget } from "./workspace-activity";

export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/**
 * An invitation to a workspace is void unless its inviter is an enabled owner of it, and the API token that made it, if any,
 * has not expired.
 */
const isEffective = (
  now: string,
) => sql`(${invitations.workspaceId} is null or (exists (select 1 from ${users} as inviter join ${workspaceMembers} as there on there.user_id = inviter.id where inviter.id = ${invitations.invitedBy} and inviter.disabled_at is null and there.workspace_id = ${invitations.workspaceId} and there.role = 'owner')
  and not exists (select 1 from ${apiTokens} as token where token.id = ${invitations.apiTokenId} and token.expires_at <= ${now})))`;

/** Who lets people in who have no account. */
export type Admission = {
  /** Whose invitations to a workspace count; those of administrators to the instance count unless it is nobody's. */
  inviters: "everybody" | "trusted" | "administrators" | "nobody";
  adminEmails: readonly string[];
  /** Whose addresses need no invitation. */
  domains: readonly string[];
};

/** The condition on `inviter`, an account, in SQL what `isAdministrator` decides. */
const administers = (emails: readonly string[]) =>
  sql`inviter.disabled_at is null and ${
    emails.length > 0
      ? sql`inviter.email in ${listed(emails)} and inviter.is_verified and inviter.verified_by_owner and inviter.pending_email is null`
      : sql`inviter.is_administrator = 1`
  }`;

/** The ways after which accounts are trusted to invite. */
const TRUSTED_WAYS = Object.entries(ACCOUNT_WAYS).flatMap(([way, trusted]) => (trusted ? way : []));

/**
 * Whether the owner of the workspace may invite people who have no account: with `trusted`, if one of its owners was let in
 * by the operator or an administrator, or administers.
 */
const mayAdmit = (
  { inviters, adminEmails }: Admission,
  { workspaceId, userId }: { workspaceId: SQLiteColumn | number; userId: SQLiteColumn | number },
): SQL =>
  ({
    everybody: sql`1`,
    trusted: sql`exists (select 1 from ${workspaceMembers} as there join ${users} as inviter on inviter.id = there.user_id where there.workspace_id = ${workspaceId} and there.role = 'owner' and inviter.disabled_at is null
      and (ifnull(inviter.way in ${listed(TRUSTED_WAYS)}, 1) or (${administers(adminEmails)})))`,
    administrators: sql`exists (select 1 from ${users} as inviter where inviter.id = ${userId} and ${administers(adminEmails)})`,
    nobody: sql`0`,
  })[inviters];

/** Whether an invitation lets somebody in who has no account. */
const admits = (admission: Admission): SQL =>
  sql`case when ${admission.inviters === "nobody"} then 0 when ${invitations.isRequested} then ${admission.inviters === "everybody"} or substr(${invitations.email}, instr(${invitations.email}, '@') + 1) in ${listed(admission.domains)}
    when ${invitations.workspaceId} is null then 1 else ${mayAdmit(admission, { workspaceId: invitations.workspaceId, userId: invitations.invitedBy })} end`;

const selectValid = (
  db: Database,
  { email, tokenHash }: { email: string; tokenHash?: string },
  { now, admission }: { now: string; admission: Admission },
) =>
  db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(
        eq(invitations.email, email),
        gt(invitations.expiresAt, now),
        isEffective(now),
        admits(admission),
        tokenHash === undefined ? undefined : eq(invitations.tokenHash, tokenHash),
      ),
    );

/** Whether the address is invited, or with a token that link is its invitation, as a condition of `insertUser`. */
export const isInvited = (...valid: Parameters<typeof selectValid>): SQL => exists(selectValid(...valid));

/** The same, or nobody has an account. */
export const isInvitedOrFirst = (...valid: Parameters<typeof selectValid>): SQL =>
  sql`(${isInvited(...valid)} or ${isFirstAccount})`;

/** How the account of an address that needs no link comes: by an administrator's invitation or, without one, otherwise. */
export const wayOfInvited = (email: string, now: string, otherwise: AccountWay): SQL<AccountWay> =>
  sql`case when exists (select 1 from ${invitations} where ${invitations.email} = ${email} and ${invitations.workspaceId} is null and ${invitations.expiresAt} > ${now} and not ${invitations.isRequested}) then 'invitation' else ${otherwise} end`;

/** The invitation of a link; undefined if it is unknown, used, withdrawn or expired. */
export async function findInvitation(
  db: Database,
  tokenHash: string,
  { now, admission }: { now: string; admission: Admission },
) {
  return db
    .select({ ...getTableColumns(invitations), admits: sql<0 | 1>`${admits(admission)}` })
    .from(invitations)
    .where(and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now), isEffective(now)))
    .get();
}

/** Whether the owner of a workspace may invite people who have no account. */
export async function isAdmitting(
  db: Database,
  admission: Admission,
  inviter: { workspaceId: number; userId: number },
): Promise<boolean> {
  const [row] = await db.all<{ may: 0 | 1 }>(sql`select ${mayAdmit(admission, inviter)} as may`);
  return row?.may === 1;
}

/** What the link of a workspace's invitation shows. */
export async function findWorkspaceInvitation(db: Database, id: number) {
  return db
    .select({
      workspace: workspaces.name,
      ...pick(users, "firstName", "lastName", "companyName"),
    })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.id, id))
    .get();
}

const selectInvitations = (db: Database, now: string, which: SQL | undefined) =>
  db
    .select({
      ...pick(invitations, "id", "email", "createdAt", "expiresAt"),
    })
    .from(invitations)
    .where(and(which, isNull(invitations.workspaceId), gt(invitations.expiresAt, now)));

/** Administrators' open invitations, the latest first. */
export const listInvitations = (db: Database, { limit = LIMITS.pageMax, cursor }: PagingQuery, now: string) =>
  pageOf(
    selectInvitations(db, now, cursor ? lt(invitations.id, cursor) : undefined).orderBy(desc(invitations.id)),
    limit,
  );

/** One of them. */
export const findOpenInvitation = (db: Database, which: { id: number } | { email: string }, now: string) =>
  selectInvitations(db, now, equals(invitations, which)).get();

/**
 * The statement that creates an invitation. It fails if the address has an account, or asks for what it has from an
 * administrator.
 */
export function insertInvitation(
  db: Database,
  { email, ...invitation }: Omit<typeof invitations.$inferInsert, "id">,
): Statement {
  const account = db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const invited = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(equals(invitations, { email, workspaceId: null }));
  const free = and(notExists(account), invitation.isRequested ? notExists(invited) : undefined);
  return db.insert(invitations).values({ ...invitation, email: onlyWhile(free, email) });
}

/** Whether an invitation was not made: the address has an account or, of a workspace's, it may not be invited. */
export const isInvitationRejected = (error: unknown) => violates(error, "not null", invitations.email);

/** Statements that end an administrator's invitation of the address, and cancel its mail if that was not sent yet. */
export const deleteInvitation = (db: Database, email: string): Statement[] => [
  cancelMail(db, "account_invitation", email),
  db.delete(invitations).where(equals(invitations, { email, workspaceId: null })),
];

/** The statement that ends what the address has asked for, and what has expired. */
export const deleteRequestedInvitation = (db: Database, email: string, now: string): Statement =>
  db
    .delete(invitations)
    .where(
      and(
        equals(invitations, { email, workspaceId: null }),
        or(eq(invitations.isRequested, true), lte(invitations.expiresAt, now)),
      ),
    );

const cancelMail = (db: Database, kind: NotificationKind, recipient: string, which?: SQL): Statement =>
  db.delete(notifications).where(and(equals(notifications, { kind, recipient, status: "queued" }), which));

type WorkspaceAddress = { workspaceId: number; email: string };

/** The same for a workspace's invitation, while the caller has their role. */
export const deleteWorkspaceInvitation = (
  db: Database,
  { workspaceId, email }: WorkspaceAddress,
  caller?: Member,
): Statement[] => [
  cancelMail(
    db,
    "workspace_invitation",
    email,
    and(
      sql`${notifications.payload} ->> '$.workspaceId' = ${workspaceId}`,
      caller && isMember(workspaceId, caller),
    ),
  ),
  db.delete(invitations).where(and(isOf({ workspaceId, email }), caller && isMember(workspaceId, caller))),
];

/** The mailbox of an address, as `mailboxOf` says, in SQL. */
export const mailboxIn = (email: SQL | SQLiteColumn) =>
  sql`(substr(${email}, 1, min(instr(${email} || '+', '+'), instr(${email}, '@')) - 1) || substr(${email}, instr(${email}, '@')))`;

/**
 * Statements that end the open invitations to the mailbox of a member, in one workspace or in all of theirs, before they
 * lose their part in it: they must not get it back by an invitation of before.
 */
export function deleteInvitationsTo(db: Database, userId: number, workspaceId?: number): Statement[] {
  const { email, pendingEmail, id } = users;
  const theirs = eq(workspaceMembers.userId, userId);
  return deleteInvitations(
    db,
    and(
      workspaceId === undefined
        ? inArray(invitations.workspaceId, valuesOf(workspaceMembers.workspaceId, theirs))
        : eq(invitations.workspaceId, workspaceId),
      sql`${mailboxIn(invitations.email)} in (select ${mailboxIn(email)} from ${users} where ${id} = ${userId} union all select ${mailboxIn(pendingEmail)} from ${users} where ${id} = ${userId})`,
    ),
  );
}

/**
 * The statements that change the role of an open invitation. The link's page says the new one; the mail said the old one. The
 * invitation is the caller's from then on: what they have made of it must end with them.
 */
export function updateInvitationRole(
  db: Database,
  caller: Member,
  {
    now,
    ...invitation
  }: { workspaceId: number; id: number; role: Role; apiTokenId: number | null; now: string },
): Statement[] {
  const { workspaceId, id, role, apiTokenId } = invitation;
  const isOther = and(
    equals(invitations, { id, workspaceId }),
    isMember(workspaceId, caller),
    sql`${invitations.role} <> ${role}`,
  );
  const changed = sql`select ${invitations.workspaceId}, json_object('email', ${invitations.email}) as target, ${changedRole(sql`${invitations.role}`, role)} as detail from ${invitations} where ${isOther}`;
  return [
    insertActivities(db, caller, { type: "invitation.changed", now }, changed),
    db.update(invitations).set({ role, apiTokenId, invitedBy: caller.userId }).where(isOther),
  ];
}

/** Whether the caller is an owner of the workspace that the address is invited to. */
export const mayRevoke = (address: WorkspaceAddress, caller: Member): SQL =>
  sql`exists (select 1 from ${invitations} where ${isOf(address)} and ${isMember(address.workspaceId, caller)})`;

const isOf = ({ workspaceId, email }: WorkspaceAddress) => equals(invitations, { workspaceId, email });

/** Whether the address belongs to a member of the workspace. */
const isMemberAddress = ({ workspaceId, email }: WorkspaceAddress) =>
  sql`exists (select 1 from ${workspaceMembers} as there join ${users} as person on person.id = there.user_id where there.workspace_id = ${workspaceId} and person.email = ${email})`;

/** Members and invitations that are listed, except that of this address. */
const occupied = ({ workspaceId, email }: WorkspaceAddress, now: string) =>
  sql<number>`((select count(*) from ${workspaceMembers} as there where there.workspace_id = ${workspaceId})
    + (select count(*) from ${invitations} where ${invitations.workspaceId} = ${workspaceId} and ${invitations.email} <> ${email} and ${invitations.expiresAt} > ${now} and ${isEffective(now)}))`;

/**
 * The statement that invites an address to a workspace. It fails unless the caller is an owner, the address is no member
 * and there is room, see `isInvitationRejected`.
 */
export function insertWorkspaceInvitation(
  db: Database,
  caller: Member,
  invitation: Omit<typeof invitations.$inferInsert, "id" | "invitedBy" | "workspaceId"> & {
    workspaceId: number;
  },
  max: number,
): Statement {
  const { workspaceId, createdAt, email } = invitation;
  const allowed = sql`${isMember(workspaceId, caller)} and not ${isMemberAddress(invitation)} and ${occupied(invitation, createdAt)} < ${max}`;
  return db.insert(invitations).values({
    ...invitation,
    invitedBy: caller.userId,
    email: onlyWhile(allowed, email),
  });
}

/** Why an invitation would be rejected, for one that was. */
export async function findRejection(db: Database, address: WorkspaceAddress, now: string) {
  const [row] = await db.all<{ isMember: number; occupied: number }>(
    sql`select ${isMemberAddress(address)} as isMember, ${occupied(address, now)} as occupied`,
  );
  return { isMember: Boolean(row?.isMember), occupied: row?.occupied ?? 0 };
}

/** The open invitations of a workspace, the latest first; none if the caller is no owner. */
export const selectWorkspaceInvitations = (
  db: Database,
  member: Member,
  { workspaceId, now }: { workspaceId: number; now: string },
) =>
  db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: sql<Role>`${invitations.role}`,
      // In a batch, D1 returns only one of two columns with the same name.
      invitedBy: {
        firstName: users.firstName,
        lastName: users.lastName,
        email: sql<string>`${users.email}`.as("inviter"),
      },
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(
      and(
        eq(invitations.workspaceId, workspaceId),
        gt(invitations.expiresAt, now),
        isEffective(now),
        isMember(workspaceId, member),
      ),
    )
    .orderBy(desc(invitations.id));

/** The address of an invitation to the workspace, void or not; undefined if the caller is no owner. */
export async function findInvitedAddress(
  db: Database,
  member: Member,
  { workspaceId, id }: { workspaceId: number; id: number },
): Promise<string | undefined> {
  const [row] = await db
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(equals(invitations, { id, workspaceId }), isMember(workspaceId, member)));
  return row?.email;
}

/**
 * The statements that make an account a member by a link, in the batch that deletes the invitation afterwards. A member
 * stays what they are. They fail if the invitation is void by now (`isInvitationVoid`) or `unchanged` is not true
 * (`isJoinerChanged`).
 */
export function insertInvitedMember(
  db: Database,
  { userId, email, workspaceId }: WorkspaceAddress & { userId: number | SQL<number> },
  { tokenHash, now, unchanged }: { tokenHash: string; now: string; unchanged: Condition | undefined },
): Statement[] {
  const open = and(
    isOf({ workspaceId, email }),
    eq(invitations.tokenHash, tokenHash),
    gt(invitations.expiresAt, now),
    isEffective(now),
  );
  const role = sql<Role>`(${db.select({ role: invitations.role }).from(invitations).where(open)})`;
  return [
    expireEarlierTokens(db, userId, workspaceId, now),
    db
      .insert(workspaceMembers)
      .values({ workspaceId, userId: onlyWhile(unchanged, userId), role, createdAt: now })
      .onConflictDoUpdate({
        target: [workspaceMembers.workspaceId, workspaceMembers.userId],
        set: { createdAt: sql`${workspaceMembers.createdAt}` },
      }),
  ];
}

/** The condition on a workspace that somebody can join without an invitation. */
const hasRoomFor = (workspaceId: number, now: string, max: number) =>
  sql`${workspaces.id} = ${workspaceId} and ${workspaces.deletedAt} is null and ${workspaces.setAsideAt} is null and ${occupied({ workspaceId, email: "" }, now)} < ${max}`;

/** Whether the workspace exists and can have further members. */
export async function hasRoom(db: Database, workspaceId: number, max: number): Promise<boolean> {
  const rows = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(hasRoomFor(workspaceId, "9999", max));
  return rows.length > 0;
}

/**
 * Whether somebody with this mailbox has joined the workspace before, or was removed from it, as far back as the activity goes:
 * another account gives back no role that was taken from the first.
 */
function hasBeenThere(workspaceId: number, mailbox: string): SQL {
  const email = mailboxIn(sql`(been.target ->> '$.email')`);
  return sql`exists (select 1 from ${workspaceActivity} as been where been.workspace_id = ${workspaceId} and been.type in ('member.joined', 'member.removed')
    and ${email} = ${mailbox})`;
}

/**
 * Statements that make a new account a member of a workspace that nobody has invited it to, if that has room and is not
 * deleted, and nobody with this mailbox has been there.
 */
export function insertDefaultMember(
  db: Database,
  userId: SQL<number>,
  {
    workspaceId,
    role,
    now,
    max,
    mailbox,
  }: { workspaceId: number; role: Role; now: string; max: number; mailbox: string },
): Statement[] {
  const joined = sql`exists (select 1 from ${workspaceMembers} as there where there.workspace_id = ${workspaceId} and there.user_id = ${users.id})`;
  return [
    db
      .insert(workspaceMembers)
      .select(
        sql`select ${workspaces.id}, ${userId}, ${role}, ${now} from ${workspaces} where ${hasRoomFor(workspaceId, now, max)} and not ${hasBeenThere(workspaceId, mailbox)}`,
      ),
    db
      .update(users)
      .set({ lastWorkspaceId: workspaceId })
      .where(and(eq(users.id, userId), joined)),
    insertActivity(
      db,
      { userId },
      { workspaceId, type: "member.joined", target: personTarget(userId), now },
      joined,
    ),
  ];
}

/** Has the joined workspace opened by browsers that have not selected one. */
export const selectJoinedWorkspace = (
  db: Database,
  { userId, workspaceId }: { userId: number | SQL<number>; workspaceId: number },
): Statement => db.update(users).set({ lastWorkspaceId: workspaceId }).where(eq(users.id, userId));

/** Whether nobody joined, because the invitation was used, revoked or void by then. */
export const isInvitationVoid = (error: unknown) => violates(error, "not null", workspaceMembers.role);

/** Whether nobody joined, because the account had another address or the session had ended by then. */
export const isJoinerChanged = (error: unknown) => violates(error, "not null", workspaceMembers.userId);

/** The statement that verifies the address of an account that joins, unless its owner has done so. */
export const verifyInvited = (
  db: Database,
  { userId, email }: { userId: number; email: string },
): Statement =>
  db
    .update(users)
    .set(VERIFIED)
    .where(
      and(equals(users, { id: userId, email }), sql`not (${users.isVerified} and ${users.verifiedByOwner})`),
    );
