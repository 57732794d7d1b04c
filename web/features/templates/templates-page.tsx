import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton } from "../../components/ui/card-grid";
import { EmptyState } from "../../components/ui/empty-state";
import { QueryError } from "../../components/ui/query-error";
import { usePageTitle } from "../../lib/use-page-title";
import { useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { DeleteTemplateDialog } from "./delete-template-dialog";
import { TemplateCard } from "./template-card";
import { type Template, templatesQuery } from "./templates.queries";

type TemplatesPageProps = {
  onNew: () => void;
  onUse: (id: number) => void;
  onEdit: (id: number) => void;
};

export function TemplatesPage({ onNew, onUse, onEdit }: TemplatesPageProps) {
  const { t } = useTranslation(["templates", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const workspaces = useQuery(workspacesQuery);
  const templates = useQuery({ ...templatesQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Template | null>(null);
  usePageTitle(t("title"));

  const failed = [workspaces, templates].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (templates.data?.length === 0)
    content = <EmptyState title={t("empty.title")} action={t("empty.text")} onAction={onNew} />;
  else if (templates.data)
    content = (
      <CardGrid label={t("title")}>
        {templates.data.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
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
          <Button variant="primary" onClick={onNew}>
            <Plus aria-hidden />
            {t("new")}
          </Button>
        }
      />
      {content}
      <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}
