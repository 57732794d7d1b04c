import {
  Building2,
  Folder,
  Hourglass,
  Languages,
  type LucideIcon,
  Mail,
  MailX,
  Pencil,
  Phone,
  Send,
  StickyNote,
  Tag,
  Trash2,
} from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { CardItem, CardOpener, insertedClass } from "../../components/ui/card-grid";
import { IconButton } from "../../components/ui/icon-button";
import { Separated } from "../../components/ui/separated";
import { cx } from "../../lib/cx";
import { type Contact, contactName } from "./contacts.queries";
import { Tags } from "./tags";

export type ContactHandlers = {
  onSelect: (id: number) => void;
  /** Whether the contact can be changed and asked for documents, not only opened. */
  mayEdit: boolean;
  onOpen: (id: number) => void;
  onRequest: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (contact: Contact) => void;
};

type ContactCardProps = ContactHandlers & { contact: Contact; selected: boolean };

export const ContactCard = memo(function ContactCard({ contact, selected, ...handlers }: ContactCardProps) {
  const { t } = useTranslation(["contacts", "common"]);
  const name = contactName(contact);
  return (
    <CardItem
      title={name}
      createdAt={contact.createdAt}
      href={contactPath(contact.id)}
      onOpen={() => handlers.onOpen(contact.id)}
      box={<SelectBox name={name} selected={selected} onSelect={() => handlers.onSelect(contact.id)} />}
      actions={
        handlers.mayEdit && (
          <>
            <Button
              size="sm"
              variant="soft"
              aria-label={t("requestNamed", { name })}
              onClick={() => handlers.onRequest(contact.id)}
            >
              {t("request")}
            </Button>
            <span className="inline-flex gap-0.5">
              <ChangeActions contact={contact} {...handlers} />
            </span>
          </>
        )
      }
    >
      <dl className="mt-2 space-y-1.5">
        <Line icon={Mail} term={t("email")} value={contact.email} breakAfter="@" />
        {contact.unsubscribedAt && (
          <div className="flex items-start gap-2 text-warn">
            <dt className="mt-0.5 shrink-0">
              <MailX aria-hidden className="size-4" />
              <span className="sr-only">{t("email")}</span>
            </dt>
            <dd>{t("unsubscribed")}</dd>
          </div>
        )}
        <Line icon={Phone} term={t("phone")} value={contact.phone} />
        <Line icon={Building2} term={t("company")} value={contact.company} />
        <Line
          icon={Languages}
          term={t("common:language")}
          value={contact.language && t(`common:languages.${contact.language}`)}
        />
        <Line icon={StickyNote} term={t("dialog.notes")} value={contact.notes} />
        <Line icon={Folder} term={t("dialog.folder")} value={contact.folder} />
        {contact.tags.length > 0 && (
          <div className="flex items-start gap-2 text-ink-soft">
            <dt className="mt-1 shrink-0">
              <Tag aria-hidden className="size-4" />
              <span className="sr-only">{t("dialog.tags")}</span>
            </dt>
            <dd className="flex min-w-0 flex-wrap gap-1">
              <Tags tags={contact.tags} />
            </dd>
          </div>
        )}
        {contact.openRequests > 0 && (
          <div className="flex items-start gap-2">
            <dt className="mt-0.5 shrink-0 text-ink-soft">
              <Hourglass aria-hidden className="size-4" />
              <span className="sr-only">{t("page.envelopes")}</span>
            </dt>
            <dd>
              <OpenRequests contact={contact} />
            </dd>
          </div>
        )}
      </dl>
    </CardItem>
  );
});

/** How many envelopes wait for the contact's documents, and how many of them are overdue. */
function OpenRequests({ contact: { openRequests, overdueRequests } }: { contact: Contact }) {
  const { t } = useTranslation("contacts");
  return (
    <Separated>
      <span className="text-ink-soft">{t("open", { count: openRequests })}</span>
      {overdueRequests > 0 && <span className="text-warn">{t("overdue", { count: overdueRequests })}</span>}
    </Separated>
  );
}

/** The contact as one line of a list, of two on a small screen. */
export const ContactRow = memo(function ContactRow({ contact, selected, ...handlers }: ContactCardProps) {
  const { t } = useTranslation("contacts");
  const { company, email } = contact;
  const name = contactName(contact);
  return (
    <li
      className={cx(
        "relative flex items-center gap-4 py-2 pl-3 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] [overflow-clip-margin:1.5rem]",
        insertedClass(contact.createdAt),
      )}
    >
      <SelectBox name={name} selected={selected} onSelect={() => handlers.onSelect(contact.id)} />
      <div className="grid min-w-0 flex-1 items-center gap-x-4 gap-y-0.5 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.3fr)]">
        <h2 className="truncate font-medium text-sm" title={name}>
          <CardOpener
            title={name}
            href={contactPath(contact.id)}
            onOpen={() => handlers.onOpen(contact.id)}
          />
        </h2>
        <p className="truncate text-ink-soft max-md:empty:hidden" title={company ?? undefined}>
          {company}
        </p>
        <p className="truncate text-ink-soft max-md:empty:hidden" title={email ?? undefined}>
          {email}
        </p>
        {(contact.openRequests > 0 || contact.tags.length > 0) && (
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs md:col-span-3">
            {contact.openRequests > 0 && <OpenRequests contact={contact} />}
            <Tags tags={contact.tags} />
          </div>
        )}
      </div>
      {handlers.mayEdit && (
        <span className="relative z-[1] inline-flex shrink-0 gap-0.5">
          <IconButton
            icon={Send}
            label={t("requestNamed", { name })}
            tip={t("request")}
            onClick={() => handlers.onRequest(contact.id)}
          />
          <ChangeActions contact={contact} {...handlers} />
        </span>
      )}
    </li>
  );
});

/** Its label is larger than the box, so that it is hit on a phone. */
function SelectBox({ name, selected, onSelect }: { name: string; selected: boolean; onSelect: () => void }) {
  const { t } = useTranslation("contacts");
  return (
    <label className="relative z-[1] -m-2 touch:-m-3 flex shrink-0 cursor-pointer p-2 touch:p-3">
      <input
        type="checkbox"
        aria-label={t("selected.select", { name })}
        className="size-4.5 cursor-pointer"
        checked={selected}
        onChange={onSelect}
      />
    </label>
  );
}

function ChangeActions({
  contact,
  onEdit,
  onDelete,
}: Pick<ContactCardProps, "contact" | "onEdit" | "onDelete">) {
  const { t } = useTranslation(["contacts", "common"]);
  const name = contactName(contact);
  return (
    <>
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
    </>
  );
}

const contactPath = (id: number) => `/contacts/${id}`;

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
        <span>{value.slice(0, end)}</span>
        {end > 0 && <wbr />}
        <span>{value.slice(end)}</span>
      </dd>
    </div>
  );
}
