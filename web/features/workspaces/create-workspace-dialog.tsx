import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/ui/form-dialog";
import { showServerIssues, textValues } from "../../lib/form";
import { clearDraft, loadDraft, saveDraft } from "../../lib/session-draft";
import { userQuery } from "../auth/auth.queries";
import { isWorkspaceField, WorkspaceFields, workspaceSchema } from "./workspace-fields";
import { useCreateWorkspace } from "./workspaces.queries";

type CreateWorkspaceDialogProps = {
  onCreated: (id: number) => void;
  onClose: () => void;
};

/** The input survives closing the dialog, but not Cancel. */
export default function CreateWorkspaceDialog({ onCreated, onClose }: CreateWorkspaceDialogProps) {
  const { t } = useTranslation(["shell", "common", "validation"]);
  const create = useCreateWorkspace();
  const draftKey = `workspace ${useQuery(userQuery).data?.id}`;
  const form = useForm({
    resolver: valibotResolver(workspaceSchema),
    defaultValues: loadDraft(draftKey, textValues(workspaceSchema, undefined)),
  });
  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draftKey, values) }),
    [form, draftKey],
  );
  const discard = () => {
    clearDraft(draftKey);
    onClose();
  };
  const submit = form.handleSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ id }) => {
        discard();
        onCreated(id);
      },
      onError: (error) => showServerIssues(error, form.setError, isWorkspaceField),
    }),
  );
  return (
    <FormDialog
      form={form}
      keepsInput
      onClose={onClose}
      onCancel={discard}
      width="sm"
      title={t("workspace.create")}
      description={t("workspace.createText")}
      submitLabel={t("workspace.submit")}
      pending={create.isPending}
      onSubmit={submit}
    >
      <WorkspaceFields autoFocus />
    </FormDialog>
  );
}
