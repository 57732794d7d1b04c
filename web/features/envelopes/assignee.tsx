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

/** The picture or initials of whom an envelope is assigned to; their name is in its title. */
export function AssigneePicture({ userId, members }: { userId: number | null; members: readonly Member[] }) {
  const { t } = useTranslation("envelopes");
  const assignee = members.find((member) => member.userId === userId);
  const name = assignee ? memberName(assignee) : "";
  const text = assignee && t("assignee.named", { name });
  return (
    <span title={text} className="shrink-0">
      <Avatar initials name={name} url={assignee?.avatarUrl ?? null} className="size-7! text-xs" />
      <span className="sr-only">{text}</span>
    </span>
  );
}
