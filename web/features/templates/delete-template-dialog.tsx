import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { focusContent } from "../../lib/focus-content";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { type Template, useDeleteTemplate } from "./templates.queries";

type DeleteTemplateDialogProps = { template: Template | null; onClose: () => void };

export function DeleteTemplateDialog({ template, onClose }: DeleteTemplateDialogProps) {
  const { t } = useTranslation("templates");
  const remove = useDeleteTemplate();
  useCloseOnBack(template !== null, onClose);
  return (
    <ConfirmDialog
      open={template !== null}
      title={t("delete.title")}
      text={t("delete.text")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={() =>
        template && remove.mutate(template.id, { onSuccess: focusContent, onSettled: onClose })
      }
      onCancel={onClose}
    />
  );
}
