import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../components/ui/avatar";
import { type Member, memberName, membersQuery } from "../workspaces/members/members.queries";
import { useRole, workspacesQuery } from "../workspaces/workspaces.queries";
import type { Envelope } from "./envelope";

const NONE: readonly Member[] = [];

/** The members of a workspace that has more than one, none while they load; undefined for somebody alone in it. */
export function useTeam(workspaceId: number | undefined) {
  const workspace = useQuery(workspacesQuery).data?.find(({ id }) => id === workspaceId);
  const { mayEdit } = useRole(workspaceId);
  const shared = workspace !== undefined && workspace.memberCount > 1;
  const { data } = useQuery({ ...membersQuery(workspaceId ?? 0), enabled: shared });
  if (!shared) return undefined;
  return { members: data?.members ?? NONE, mayEdit };
}

export const assigneeName = ({ firstName, lastName, email }: Envelope["assignee"]) =>
  memberName({ firstName, lastName, email: email ?? "" });

/** The assignee's picture or initials; their name is in its title. */
export function AssigneePicture({
  assignee,
  members,
}: {
  assignee: Envelope["assignee"];
  members: readonly Member[];
}) {
  const { t } = useTranslation("envelopes");
  const url = members.find(({ userId }) => userId === assignee.userId)?.avatarUrl ?? null;
  const text = t("assignee.named", { name: assigneeName(assignee) });
  return (
    <span title={text} className="shrink-0">
      <Avatar initials name={assigneeName(assignee)} url={url} className="size-7! text-xs" />
      <span className="sr-only">{text}</span>
    </span>
  );
}
