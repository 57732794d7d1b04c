import * as z from "zod/mini";
import { ACTIVITY_KINDS, ACTIVITY_TYPES } from "./activity";
import { count, emailAddress, entity, id, paging, queriedId, time } from "./fields";
import { MESSAGES } from "./messages";
import { ROLES } from "./options";

/** Members and open invitations of a workspace, together. */
export const MEMBERS_PER_WORKSPACE = 100;
export const INVITATIONS_PER_DAY = 30;
export const ACTIVITY_PER_PAGE = 50;
/** How long a workspace's activity is stored, and how many entries of it. */
export const ACTIVITY_DAYS = 365;
export const ACTIVITY_PER_WORKSPACE = 10_000;

const role = z.enum(ROLES);

export const memberInvitationInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress), role });
export type MemberInvitationInput = z.output<typeof memberInvitationInput>;

/** Which open envelopes get new links when somebody loses access to them: what they created or were assigned to, or all. */
const linksToReplace = z.enum(["own", "all"]);
export type LinksToReplace = z.output<typeof linksToReplace>;

export const roleInput = z.object({
  role,
  replaceLinks: z
    .optional(linksToReplace)
    .check(
      z.describe(
        "Which envelopes get new links: `own`, which a new viewer has created or was assigned to, or `all` of the workspace",
      ),
    ),
});
export type RoleInput = z.output<typeof roleInput>;
/** The role of an open invitation. */
export const invitationChanges = z.object({ role });
/** `?assignTo=`: who gets what was assigned to somebody who is removed. */
export const removalQuery = z.object({
  assignTo: z.optional(queriedId),
  replaceLinks: z.optional(linksToReplace),
});
export type RemovalQuery = z.output<typeof removalQuery>;
const activityFilter = {
  kind: z.optional(z.enum(ACTIVITY_KINDS)).check(z.describe("What it is about")),
  person: z.optional(queriedId).check(z.describe("The account that did it")),
};
export const activityFilterQuery = z.object(activityFilter);
export type ActivityFilter = z.output<typeof activityFilterQuery>;
export const activityQuery = z.object({ ...paging(), ...activityFilter });
export type ActivityQuery = z.output<typeof activityQuery>;

const person = { firstName: z.nullable(z.string()), lastName: z.nullable(z.string()), email: z.string() };

export const memberResponse = entity("Member", {
  userId: id,
  ...person,
  avatarUrl: z.nullable(z.string()),
  role,
  joinedAt: time,
  open: z
    .optional(count)
    .check(z.describe("How many envelopes are assigned to them that are not done, if asked for")),
});

/** Of `GET /api/workspaces/{id}/members`. */
export const membersQuery = z.object({
  counts: z
    .optional(z.literal("1"))
    .check(z.describe("Counts what is assigned to each member and is not done")),
});

export const memberLinksResponse = entity("MemberLinks", {
  own: count.check(z.describe("Open envelopes that the member has created or is assigned to")),
  all: count.check(z.describe("All open envelopes of the workspace, whose links members can read")),
});

export const memberInvitationResponse = entity("MemberInvitation", {
  id,
  email: z.string(),
  role,
  invitedBy: z.object(person),
  createdAt: time,
  expiresAt: time,
});

export const membersResponse = entity("Members", {
  members: z.array(memberResponse),
  invitations: z.array(memberInvitationResponse).check(z.describe("Empty for a caller who is no owner")),
});

export const activityResponse = entity("Activity", {
  id,
  type: z.enum(ACTIVITY_TYPES),
  actor: z.object({
    userId: z.nullable(id).check(z.describe("Null once the account is deleted")),
    name: z.string(),
  }),
  target: z.object({ id: z.optional(id), name: z.optional(z.string()), email: z.optional(z.string()) }),
  changes: z
    .array(z.object({ field: z.string(), from: z.nullable(z.string()), to: z.nullable(z.string()) }))
    .check(z.describe("Which fields were changed. Long values are cut, and those of lists joined")),
  count: z.nullable(count).check(z.describe("How many it was about; null for one")),
  createdAt: time,
});
