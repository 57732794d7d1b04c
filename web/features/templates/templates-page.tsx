import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton } from "../../components/ui/card-grid";
import { EmptyState } from "../../components/ui/empty-state";
import { ErrorState } from "../../components/ui/error-state";
import { errorText } from "../../lib/error-text";
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
  const { t, i18n } = useTranslation(["templates", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const workspaces = useQuery(workspacesQuery);
  const templates = useQuery({ ...templatesQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Template | null>(null);
  usePageTitle(t("title"));

  const failed = [workspaces, templates].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} />;
  if (failed)
    content = (
      <ErrorState
        title={t("failedTitle")}
        text={errorText(failed.error, i18n.t)}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
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
        action={<NewButton label={t("new")} onClick={onNew} />}
      />
      {content}
      <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

function NewButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus aria-hidden />
      {label}
    </Button>
  );
}
