import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, MailX, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../components/delete-dialog";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { Fact } from "../../components/ui/fact";
import { ErrorState, QueryPlaceholder } from "../../components/ui/query-placeholder";
import { ApiError } from "../../lib/api";
import { usePageTitle } from "../../lib/use-page-title";
import { useRole, useWorkspaceOf } from "../workspaces/workspaces.queries";
import { type Contact, contactName, contactQuery, useDeleteContact } from "./contacts.queries";
import { Tags } from "./tags";

type ContactPageProps = {
  id: number;
  /** Opens the wizard with the contact as the recipient. */
  onRequest: () => void;
  onEdit: () => void;
  onDeleted: () => void;
  /** What was asked of the contact and received, once the contact is loaded. */
  children: ReactNode;
};

/** A contact's details, and below them what was asked of it. */
export function ContactPage({ id, onRequest, onEdit, onDeleted, children }: ContactPageProps) {
  const { t } = useTranslation(["contacts", "common"]);
  const query = useQuery(contactQuery(id));
  const { data: contact, error } = query;
  const [deleting, setDeleting] = useState<Contact | null>(null);
  const remove = useDeleteContact();
  useWorkspaceOf(contact);
  const { mayEdit } = useRole(contact?.workspaceId ?? undefined);
  usePageTitle(contact ? contactName(contact) : t("title"));
  const back = (
    <Link
      to="/contacts"
      className="mb-2 inline-flex touch:min-h-10 items-center gap-1 rounded-sm text-ink-soft hover:text-ink hover:underline"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {t("title")}
    </Link>
  );
  if (error instanceof ApiError && error.status === 404)
    return (
      <>
        <h1 className="sr-only">{t("dialog.missing")}</h1>
        {back}
        <ErrorState title={t("dialog.missing")} text={t("dialog.missingText")} />
      </>
    );
  if (!contact)
    return (
      <>
        <PageHeader title={t("title")} />
        <QueryPlaceholder
          query={query}
          failed={t("dialog.loadFailed")}
          rowClass="h-28"
          className="space-y-4"
        />
      </>
    );
  return (
    <>
      <PageHeader
        back={back}
        title={contactName(contact)}
        action={
          mayEdit && (
            <div className="flex flex-wrap gap-2 max-sm:w-full">
              <Button onClick={() => setDeleting(contact)}>
                <Trash2 aria-hidden />
                {t("common:delete")}
              </Button>
              <Button onClick={onEdit}>
                <Pencil aria-hidden />
                {t("common:edit")}
              </Button>
              <Button variant="primary" onClick={onRequest} className="max-sm:-order-1 max-sm:w-full">
                {t("request")}
              </Button>
            </div>
          )
        }
      />
      <ContactFacts contact={contact} />
      {children}
      <DeleteDialog
        kind="contacts"
        entry={deleting}
        remove={remove}
        onDeleted={onDeleted}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

export function ContactFacts({ contact }: { contact: Contact }) {
  const { t } = useTranslation(["contacts", "common"]);
  const { email, phone, company, language, notes, tags, folder, unsubscribedAt } = contact;
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-card bg-sunken p-4 sm:grid-cols-[1.5fr_1fr_1fr]">
      <Fact term={t("email")}>
        {email && (
          <a
            href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
            className="text-accent hover:underline"
          >
            {email}
          </a>
        )}
        {unsubscribedAt && (
          <span className="mt-1 flex items-start gap-1.5 text-warn">
            <MailX aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("unsubscribed")}
          </span>
        )}
      </Fact>
      <Fact term={t("phone")}>
        {phone && (
          <a
            href={`tel:${phone.replace(/[^+\d]/g, "")}`}
            className="text-accent tabular-nums hover:underline"
          >
            {phone}
          </a>
        )}
      </Fact>
      <Fact term={t("company")}>{company}</Fact>
      {language && <Fact term={t("common:language")}>{t(`common:languages.${language}`)}</Fact>}
      {folder && <Fact term={t("dialog.folder")}>{folder}</Fact>}
      {tags.length > 0 && (
        <Fact term={t("dialog.tags")} className="sm:col-span-2">
          <span className="flex flex-wrap gap-1">
            <Tags tags={tags} />
          </span>
        </Fact>
      )}
      {notes && (
        <Fact term={t("dialog.notes")} className="whitespace-pre-wrap sm:col-span-3">
          {notes}
        </Fact>
      )}
    </dl>
  );
}
