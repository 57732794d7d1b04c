import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton } from "../../components/ui/card-grid";
import { EmptyState } from "../../components/ui/empty-state";
import { QueryError } from "../../components/ui/query-error";
import { SearchInput } from "../../components/ui/search-input";
import { usePageTitle } from "../../lib/use-page-title";
import { useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { ContactCard } from "./contact-card";
import { type Contact, contactsQuery, matchesContact } from "./contacts.queries";
import { DeleteContactDialog } from "./delete-contact-dialog";

type ContactsPageProps = {
  onNew: () => void;
  /** Opens the wizard with this contact as the recipient. */
  onRequest: (id: number) => void;
  onEdit: (id: number) => void;
};

export function ContactsPage({ onNew, onRequest, onEdit }: ContactsPageProps) {
  const { t } = useTranslation(["contacts", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const workspaces = useQuery(workspacesQuery);
  const contacts = useQuery({ ...contactsQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [filter, setFilter] = useState("");
  const words = useDeferredValue(filter);
  const [deleting, setDeleting] = useState<Contact | null>(null);
  usePageTitle(t("title"));

  const failed = [workspaces, contacts].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (contacts.data?.length === 0)
    content = <EmptyState title={t("empty.title")} action={t("empty.text")} onAction={onNew} />;
  else if (contacts.data)
    content = (
      <>
        <SearchInput
          label={t("filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="mb-4 sm:max-w-xs"
        />
        <ContactGrid
          contacts={contacts.data.filter((contact) => matchesContact(contact, words.trim()))}
          onRequest={onRequest}
          onEdit={onEdit}
          onDelete={setDeleting}
        />
      </>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={t("intro")}
        action={
          <Button variant="primary" onClick={onNew}>
            <Plus aria-hidden />
            {t("add")}
          </Button>
        }
      />
      {content}
      <DeleteContactDialog contact={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

type ContactGridProps = {
  contacts: Contact[];
  onRequest: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (contact: Contact) => void;
};

function ContactGrid({ contacts, ...actions }: ContactGridProps) {
  const { t } = useTranslation("contacts");
  if (contacts.length === 0) return <p className="py-12 text-center text-ink-soft">{t("noResults")}</p>;
  return (
    <CardGrid label={t("title")}>
      {contacts.map((contact) => (
        <ContactCard key={contact.id} contact={contact} {...actions} />
      ))}
    </CardGrid>
  );
}
