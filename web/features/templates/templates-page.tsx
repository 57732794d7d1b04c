import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton } from "../../components/ui/card-grid";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { EmptyState } from "../../components/ui/empty-state";
import { QueryError } from "../../components/ui/query-placeholder";
import { focusContent } from "../../lib/focus";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { usePageTitle } from "../../lib/use-page-title";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { TemplateCard } from "./template-card";
import { type Template, templatesQuery, useDeleteTemplate } from "./templates.queries";

type TemplatesPageProps = {
  onNew: () => void;
  onUse: (id: number) => void;
  onEdit: (id: number) => void;
};

export function TemplatesPage({ onNew, onUse, onEdit }: TemplatesPageProps) {
  const { t } = useTranslation(["templates", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const workspaces = useQuery(workspacesQuery);
  const templates = useQuery({ ...templatesQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Template | null>(null);
  usePageTitle(t("title"));

  const failed = [workspaces, templates].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (templates.data?.length === 0)
    content = (
      <EmptyState
        title={t("empty.title")}
        action={t("empty.text")}
        onAction={mayEdit && onNew}
        drawing="templates"
      />
    );
  else if (templates.data)
    content = (
      <CardGrid label={t("title")}>
        {templates.data.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            mayEdit={mayEdit}
            onUse={onUse}
            onEdit={onEdit}
            onDelete={setDeleting}
          />
        ))}
      </CardGrid>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={t("intro")}
        action={
          mayEdit && (
            <Button variant="primary" onClick={onNew}>
              <Plus aria-hidden />
              {t("new")}
            </Button>
          )
        }
      />
      {content}
      <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

type DeleteTemplateDialogProps = { template: Template | null; onClose: () => void };

function DeleteTemplateDialog({ template, onClose }: DeleteTemplateDialogProps) {
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
