import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../components/ui/loading-dialog";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { TemplateForm } from "./template-form";
import { type Template, templateQuery, templatesQuery } from "./templates.queries";

type TemplateDialogProps = {
  /** The template that is edited; absent for a new one. */
  editId: number | undefined;
  onClose: () => void;
};

/** Takes the initial values from the cached list or loads them, then shows the form. */
export default function TemplateDialog({ editId, onClose }: TemplateDialogProps) {
  const { t } = useTranslation("templates");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const listed = client
    .getQueryData<Template[]>(templatesQuery(workspace?.id ?? 0).queryKey)
    ?.find(({ id }) => id === editId);
  const single = useQuery({ ...templateQuery(editId ?? 0), enabled: editing && !listed });
  const template = listed ?? single.data;
  const title = editing ? t("dialog.editTitle") : t("dialog.createTitle");
  if (!editing) return <TemplateForm title={title} workspaceId={workspace?.id} onClose={onClose} />;
  if (template)
    return (
      <TemplateForm
        key={template.id}
        title={title}
        template={template}
        workspaceId={template.workspaceId}
        onClose={onClose}
      />
    );
  return (
    <LoadingDialog
      title={title}
      query={single}
      failedTitle={t("dialog.loadFailed")}
      missing={{ title: t("dialog.missing"), text: t("dialog.missingText") }}
      onClose={onClose}
    />
  );
}
