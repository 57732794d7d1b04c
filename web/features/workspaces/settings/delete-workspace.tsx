import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { isUnconfirmed } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { useShownName } from "../../../lib/shown-name";
import { countsQuery } from "../../envelopes/envelopes.queries";
import { membersQuery, useLeaveWorkspace } from "../members/members.queries";
import { fileCountQuery, useDeleteWorkspace, type Workspace, workspacesQuery } from "../workspaces.queries";

type DeleteWorkspaceProps = { workspace: Workspace; onDeleted: () => void };

export function DeleteWorkspace({ workspace, onDeleted }: DeleteWorkspaceProps) {
  const { t } = useTranslation("workspace");
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const [asking, setAsking] = useState(false);
  if (workspaces.length === 1) return <p className="text-ink-soft">{t("delete.only")}</p>;
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("delete.submit")}
      </Button>
      {asking && (
        <DeleteDialog workspace={workspace} onDeleted={onDeleted} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

/** Says how much is deleted, and asks for the workspace's name. */
function DeleteDialog({ workspace, onDeleted, onClose }: DeleteWorkspaceProps & { onClose: () => void }) {
  const { t, i18n } = useTranslation(["workspace", "errors", "validation"]);
  const { id } = workspace;
  const name = useShownName()(workspace.name).trim();
  const counts = useQuery({ ...countsQuery({ workspaceId: id }), staleTime: 0 });
  const files = useQuery(fileCountQuery(id));
  const error = counts.error ?? files.error;
  const remove = useDeleteWorkspace();
  const [typed, setTyped] = useState("");
  const counted = !counts.isFetching && !files.isFetching && !error;
  const ready = counted && typed.trim() === name;
  const confirm = () =>
    remove.mutate(id, { onSuccess: onDeleted, onError: (error) => isUnconfirmed(error) || onClose() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && !remove.isPending) confirm();
  };
  const amount = t("delete.ask", {
    envelopes: t("delete.envelopes", { count: counts.data?.all ?? 0 }),
    files: t("delete.files", { count: files.data ?? 0 }),
  });
  return (
    <ConfirmDialog
      open
      title={t("delete.askTitle")}
      text={error ? errorText(error, i18n.t) : counted ? amount : t("delete.counting")}
      confirmLabel={t("delete.submit")}
      pending={remove.isPending}
      disabled={!ready}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <form noValidate onSubmit={submit}>
        <Field label={t("delete.type", { name })}>
          <Input
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      </form>
    </ConfirmDialog>
  );
}

type LeaveWorkspaceProps = { workspace: Workspace; userId: number; onLeft: () => void };

export function LeaveWorkspace({ workspace: { id, name }, userId, onLeft }: LeaveWorkspaceProps) {
  const { t } = useTranslation("workspace");
  const shown = useShownName();
  const members = useQuery(membersQuery(id)).data?.members ?? [];
  const leave = useLeaveWorkspace();
  const [asking, setAsking] = useState(false);
  const stop = () => setAsking(false);
  const owners = members.filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.userId === userId)
    return <p className="text-ink-soft">{t("leave.lastOwner")}</p>;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t("leave.submit")}</Button>
      <ConfirmDialog
        open={asking}
        title={t("leave.askTitle", { name: shown(name) })}
        text={t("leave.ask")}
        confirmLabel={t("leave.submit")}
        pending={leave.isPending}
        onConfirm={() => leave.mutate({ workspaceId: id, userId }, { onSuccess: onLeft, onError: stop })}
        onCancel={stop}
      />
    </>
  );
}
