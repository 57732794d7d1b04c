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
import { ContactCard } from "./contact-card";
import { type Contact, contactsQuery } from "./contacts.queries";
import { DeleteContactDialog } from "./delete-contact-dialog";

type ContactsPageProps = { onNew: () => void; onEdit: (id: number) => void };

export function ContactsPage({ onNew, onEdit }: ContactsPageProps) {
  const { t, i18n } = useTranslation(["contacts", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const workspaces = useQuery(workspacesQuery);
  const contacts = useQuery({ ...contactsQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Contact | null>(null);
  usePageTitle(t("title"));

  const failed = [workspaces, contacts].find(({ isError, data }) => isError && !data);
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
  else if (contacts.data?.length === 0)
    content = <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  else if (contacts.data)
    content = (
      <CardGrid label={t("title")}>
        {contacts.data.map((contact) => (
          <ContactCard key={contact.id} contact={contact} onEdit={onEdit} onDelete={setDeleting} />
        ))}
      </CardGrid>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={t("intro")}
        action={<AddButton label={t("add")} onClick={onNew} />}
      />
      {content}
      <DeleteContactDialog contact={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus aria-hidden />
      {label}
    </Button>
  );
}
