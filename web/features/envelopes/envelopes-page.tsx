import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { EmptyState } from "../../components/ui/empty-state";
import { QueryError } from "../../components/ui/query-error";
import { usePageTitle } from "../../lib/use-page-title";
import { useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { EnvelopeList } from "./envelope-list";
import { EnvelopeSkeleton } from "./envelope-skeleton";
import { type Envelope, envelopesQuery } from "./envelopes.queries";
import type { ListView } from "./list-view";

const DeleteEnvelopeDialog = lazy(() => import("./delete-envelope-dialog"));

type EnvelopesPageProps = {
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  onNew: () => void;
  /** Must be stable across renders. */
  onEdit: (id: number) => void;
};

export function EnvelopesPage({ view, onView, onNew, onEdit }: EnvelopesPageProps) {
  const { t } = useTranslation("envelopes");
  const workspace = useSelectedWorkspace();
  const workspaces = useQuery(workspacesQuery);
  const envelopes = useQuery({ ...envelopesQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Envelope | null>(null);
  const edit = useCallback(({ id }: Envelope) => onEdit(id), [onEdit]);
  usePageTitle(t("title"));

  const failed = workspaces.isError
    ? workspaces
    : envelopes.isError && !envelopes.data
      ? envelopes
      : undefined;
  let content: ReactNode = <EnvelopeSkeleton />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (envelopes.data?.length === 0)
    content = <EmptyState title={t("empty.title")} action={t("empty.text")} onAction={onNew} />;
  else if (envelopes.data)
    content = (
      <EnvelopeList
        key={workspace?.id}
        workspaceId={workspace?.id ?? 0}
        envelopes={envelopes.data}
        view={view}
        onView={onView}
        partial={envelopes.isError}
        refreshing={envelopes.isFetching}
        onRefresh={() => void envelopes.refetch()}
        onEdit={edit}
        onDelete={setDeleting}
      />
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={t("intro")}
        action={
          <Button variant="primary" onClick={onNew}>
            <Plus aria-hidden />
            {t("newEnvelope")}
          </Button>
        }
      />
      {content}
      {deleting && (
        <Suspense>
          <DeleteEnvelopeDialog envelope={deleting} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}
