import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { ApiError } from "../../lib/api";
import type { User } from "../auth/auth.queries";
import { membersQuery } from "../workspaces/members/members.queries";
import { useNamedApart, type Workspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { useDeleteAccount } from "./settings.queries";

type DeleteAccountDialogProps = { user: User; onDeleted: () => void; onClose: () => void };

/** Asks before the account is deleted, and says what happens to its workspaces. */
export function DeleteAccountDialog({ user, onDeleted, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation("profile");
  const remove = useDeleteAccount();
  const workspaces = useNamedApart(useFates(user.id, remove.error));
  const shared = workspaces.some(({ memberCount }) => memberCount > 1);
  return (
    <ConfirmDialog
      open
      title={t("danger.confirmTitle")}
      text={t("danger.confirmText")}
      detail={user.isAdministrator ? t("danger.administrator") : undefined}
      confirmLabel={t("danger.submit")}
      pending={remove.isPending}
      disabled={workspaces.some(({ fate }) => fate === undefined || fate === "blocked")}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: onDeleted,
          onError: (error) => {
            if (ownedAlone(error).length === 0) onClose();
          },
        })
      }
      onCancel={onClose}
    >
      {shared && (
        <ul aria-label={t("danger.workspaces")} className="space-y-2">
          {workspaces.map(({ id, name, fate }) => (
            <li key={id} className="break-words">
              <span className="font-medium">{name}</span>
              {fate && <span className="block text-ink-soft">{t(`danger.fates.${fate}`)}</span>}
              {fate === "blocked" && (
                <Link
                  to="/workspace"
                  search={{ id }}
                  hash="members"
                  className="text-accent underline-offset-4 hover:underline"
                >
                  {t("danger.members", { name })}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

/** The workspaces because of which the account was not deleted. */
const ownedAlone = (error: unknown) =>
  error instanceof ApiError && error.code === "last_owner" ? error.workspaces : [];

type Fate = "deleted" | "stays" | "blocked";

/** What happens to each workspace; undefined while that is loading. */
function useFates(userId: number, error: unknown): (Workspace & { fate: Fate | undefined })[] {
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, staleTime: 0 });
  const isUncertain = ({ role, memberCount }: Workspace) => role === "owner" && memberCount > 1;
  const uncertain = workspaces.filter(isUncertain);
  const members = useQueries({ queries: uncertain.map(({ id }) => membersQuery(id)) });
  const blocked = new Set(ownedAlone(error).map(({ id }) => id));
  const fateOf = (workspace: Workspace): Fate | undefined => {
    if (blocked.has(workspace.id)) return "blocked";
    if (workspace.memberCount === 1) return "deleted";
    if (!isUncertain(workspace)) return "stays";
    const query = members[uncertain.indexOf(workspace)];
    // The server decides, if they cannot be loaded.
    if (!query?.data) return query?.isError ? "stays" : undefined;
    const others = query.data.members.filter((member) => member.userId !== userId);
    return others.some(({ role }) => role === "owner") ? "stays" : "blocked";
  };
  return workspaces.map((workspace) => ({ ...workspace, fate: fateOf(workspace) }));
}
