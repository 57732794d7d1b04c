import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ActivityKind } from "../../../../worker/contract/activity";
import type { LinksToReplace } from "../../../../worker/contract/members";
import type { Role } from "../../../../worker/contract/options";
import { api, byId, json, listPage } from "../../../lib/api";
import { type MutationTexts, toasts } from "../../../lib/mutation-meta";
import { pagedRows } from "../../../lib/read-pages";
import { userQuery } from "../../auth/auth.queries";
import { workspacesQuery } from "../workspaces.queries";

const root = api.workspaces[":id"];
const readMembers = (workspaceId: number, query: { counts?: "1" } = {}) =>
  json(root.members.$get({ ...byId(workspaceId), query }));

export type Member = Awaited<ReturnType<typeof readMembers>>["members"][number];
export type MemberInvitation = Awaited<ReturnType<typeof readMembers>>["invitations"][number];

/** The members and, for owners, the open invitations. Loaded each time they are shown: others may change them. */
export const membersQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["members", workspaceId],
    staleTime: 0,
    queryFn: () => readMembers(workspaceId),
  });

/** How much is assigned to each member that is not done, by their ids. */
export const loadsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["members", workspaceId, "loads"],
    staleTime: 0,
    queryFn: async () => {
      const { members } = await readMembers(workspaceId, { counts: "1" });
      return new Map(members.map(({ userId, open = 0 }) => [userId, open]));
    },
  });

export const memberName = ({
  firstName,
  lastName,
  email,
}: Pick<Member, "firstName" | "lastName" | "email">) =>
  [firstName, lastName].filter(Boolean).join(" ") || email;

/** What the list is narrowed to, as the call takes it. */
export type ActivityView = { kind?: ActivityKind; person?: string };

const readActivity = (workspaceId: number, view: ActivityView, cursor: string | undefined) =>
  listPage(
    root.activity.$get({ ...byId(workspaceId), query: { ...view, limit: "20", ...(cursor && { cursor }) } }),
  );

export type ActivityEntry = Awaited<ReturnType<typeof readActivity>>["rows"][number];

export const activityQuery = (workspaceId: number, view: ActivityView) =>
  infiniteQueryOptions({
    queryKey: ["activity", workspaceId, view],
    ...pagedRows((cursor) => readActivity(workspaceId, view, cursor)),
  });

/**
 * Reloads what depends on who is a member: also envelopes, since those of a removed member are assigned again. After a
 * change of one's own role, the page is rendered for the new one first.
 */
export function useReloadMembers() {
  const client = useQueryClient();
  return (changedId?: number) => {
    const isSelf = changedId !== undefined && changedId === client.getQueryData(userQuery.queryKey)?.id;
    for (const key of ["members", "activity", "requests"])
      void client.invalidateQueries({ queryKey: [key], refetchType: isSelf ? "none" : "active" });
    return client.invalidateQueries(workspacesQuery);
  };
}

function useChange<Input extends { workspaceId: number; userId?: number }>(
  mutationFn: (input: Input) => Promise<unknown>,
  meta: MutationTexts,
) {
  const reload = useReloadMembers();
  return useMutation({ mutationFn, onSettled: (_done, _error, { userId }) => reload(userId), meta });
}

const memberParam = ({ workspaceId, userId }: MemberKey) => ({
  param: { id: String(workspaceId), userId: String(userId) },
});

type MemberKey = { workspaceId: number; userId: number };

/** How many open envelopes have links that the member may know, read each time it is asked. */
export const memberLinksQuery = (key: MemberKey) =>
  queryOptions({
    queryKey: ["members", key.workspaceId, "links", key.userId],
    staleTime: 0,
    queryFn: () => json(root.members[":userId"].links.$get(memberParam(key))),
  });

export const useChangeRole = () =>
  useChange(
    ({
      workspaceId,
      userId,
      ...json
    }: MemberKey & { role: Role; replaceLinks?: LinksToReplace | undefined }) =>
      root.members[":userId"].$patch({ ...memberParam({ workspaceId, userId }), json }),
    toasts("workspace:members.roleChanged", "workspace:members.roleFailed"),
  );

/** Removes somebody; their envelopes are assigned to `assignTo`. */
export const useRemoveMember = () =>
  useChange(
    ({
      assignTo,
      replaceLinks,
      ...key
    }: MemberKey & { assignTo?: number; replaceLinks: LinksToReplace | undefined }) =>
      root.members[":userId"].$delete({
        ...memberParam(key),
        query: {
          ...(assignTo !== undefined && { assignTo: String(assignTo) }),
          ...(replaceLinks && { replaceLinks }),
        },
      }),
    toasts("workspace:remove.done", "workspace:remove.failed"),
  );

export const useLeaveWorkspace = () =>
  useChange(
    (key: MemberKey) => root.members[":userId"].$delete({ ...memberParam(key), query: {} }),
    toasts("workspace:leave.done", "workspace:leave.failed"),
  );

export const inviteMember = (workspaceId: number, email: string, role: Role) =>
  root.invitations.$post({ ...byId(workspaceId), json: { email, role } });

/** Sends a new link. The earlier one stops working. */
export const useResendInvitation = () =>
  useChange(
    ({ workspaceId, email, role }: Pick<MemberInvitation, "email" | "role"> & { workspaceId: number }) =>
      inviteMember(workspaceId, email, role),
    toasts("workspace:invite.resent", "workspace:invite.failed"),
  );

export const useChangeInvitation = () =>
  useChange(
    ({ workspaceId, id, role }: { workspaceId: number; id: number; role: Role }) =>
      root.invitations[":invitationId"].$patch({
        param: { id: String(workspaceId), invitationId: String(id) },
        json: { role },
      }),
    toasts("workspace:members.roleChanged", "workspace:members.roleFailed"),
  );

export const useRevokeInvitation = () =>
  useChange(
    ({ workspaceId, id }: { workspaceId: number; id: number }) =>
      root.invitations[":invitationId"].$delete({
        param: { id: String(workspaceId), invitationId: String(id) },
      }),
    toasts("workspace:invite.revoked", "workspace:invite.revokeFailed"),
  );
