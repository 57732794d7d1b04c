import { Building2, type LucideIcon, Mail, Pencil, Phone, StickyNote, Trash2 } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { CardItem } from "../../components/ui/card-grid";
import { IconButton } from "../../components/ui/icon-button";
import { type Contact, contactName } from "./contacts.queries";

type ContactCardProps = {
  contact: Contact;
  onRequest: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (contact: Contact) => void;
};

export const ContactCard = memo(function ContactCard(props: ContactCardProps) {
  const { contact, onRequest, onEdit, onDelete } = props;
  const { t } = useTranslation(["contacts", "common"]);
  const name = contactName(contact);
  return (
    <CardItem
      title={name}
      onOpen={() => onEdit(contact.id)}
      actions={
        <>
          <Button size="sm" aria-label={t("requestNamed", { name })} onClick={() => onRequest(contact.id)}>
            {t("request")}
          </Button>
          <span className="inline-flex gap-0.5">
            <IconButton
              icon={Pencil}
              label={t("editNamed", { name })}
              tip={t("common:edit")}
              onClick={() => onEdit(contact.id)}
            />
            <IconButton
              icon={Trash2}
              tone="danger"
              label={t("deleteNamed", { name })}
              tip={t("common:delete")}
              onClick={() => onDelete(contact)}
            />
          </span>
        </>
      }
    >
      <dl className="mt-2 space-y-1.5">
        <Line icon={Mail} term={t("email")} value={contact.email} breakAfter="@" />
        <Line icon={Phone} term={t("phone")} value={contact.phone} />
        <Line icon={Building2} term={t("company")} value={contact.company} />
        <Line icon={StickyNote} term={t("dialog.notes")} value={contact.notes} />
      </dl>
    </CardItem>
  );
});

type LineProps = {
  icon: LucideIcon;
  term: string;
  value: string | null;
  /** Where a line breaks first, if the value is too long for one. */
  breakAfter?: string;
};

function Line({ icon: Icon, term, value, breakAfter }: LineProps) {
  if (!value) return null;
  const end = breakAfter ? value.indexOf(breakAfter) + 1 : 0;
  return (
    <div className="flex items-start gap-2 text-ink-soft">
      <dt className="mt-0.5 shrink-0">
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">{term}</span>
      </dt>
      <dd className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]" title={value}>
        {value.slice(0, end)}
        {end > 0 && <wbr />}
        {value.slice(end)}
      </dd>
    </div>
  );
}
