import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { membersQuery, useLeaveWorkspace } from "../members/members.queries";
import type { Workspace } from "../workspaces.queries";

type LeaveWorkspaceProps = { workspace: Workspace; userId: number; onLeft: () => void };

export function LeaveWorkspace({ workspace: { id, name }, userId, onLeft }: LeaveWorkspaceProps) {
  const { t } = useTranslation("workspace");
  const members = useQuery(membersQuery(id)).data?.members ?? [];
  const leave = useLeaveWorkspace();
  const [asking, setAsking] = useState(false);
  const stop = () => setAsking(false);
  useCloseOnBack(asking, stop);
  const owners = members.filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.userId === userId)
    return <p className="text-ink-soft">{t("leave.lastOwner")}</p>;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t("leave.submit")}</Button>
      <ConfirmDialog
        open={asking}
        title={t("leave.askTitle", { name })}
        text={t("leave.ask")}
        confirmLabel={t("leave.submit")}
        pending={leave.isPending}
        onConfirm={() => leave.mutate({ workspaceId: id, userId }, { onSuccess: onLeft, onError: stop })}
        onCancel={stop}
      />
    </>
  );
}
