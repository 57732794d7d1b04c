import { Popover, PopoverButton, PopoverPanel } from "@headlessui/react";
import { useQuery } from "@tanstack/react-query";
import { ContactRound, Search } from "lucide-react";
import { type KeyboardEvent, memo, useDeferredValue, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../../components/ui/avatar";
import { buttonClass } from "../../../components/ui/button";
import { Input } from "../../../components/ui/input";
import { Skeleton, SkeletonGroup } from "../../../components/ui/skeleton";
import { cx } from "../../../lib/cx";
import { type Contact, contactName, contactsQuery } from "../../contacts/contacts.queries";

/** More than the list shows at once. */
const DRAWN_FIRST = 30;

type ContactPickerProps = {
  workspaceId: number | undefined;
  /** The name of the contact that was picked. */
  chosen: string | undefined;
  onPick: (contact: Contact) => void;
};

export function ContactPicker({ workspaceId, chosen, onPick }: ContactPickerProps) {
  const { t } = useTranslation("envelopes");
  return (
    <Popover className="min-w-0">
      <PopoverButton className={buttonClass({ className: "w-full justify-start sm:w-auto" })}>
        <ContactRound aria-hidden />
        {chosen ? (
          <>
            <span className="sr-only">{t("wizard.contact")}</span>
            <span className="truncate">{chosen}</span>
          </>
        ) : (
          t("wizard.chooseContact")
        )}
      </PopoverButton>
      <PopoverPanel
        anchor={{ to: "bottom start", gap: 4, padding: 8 }}
        className="appear z-50 flex [--anchor-max-height:24rem] w-[min(400px,calc(100vw-2rem))] flex-col rounded-card border border-line bg-surface shadow-float"
      >
        {({ close }) => (
          <ContactList
            workspaceId={workspaceId}
            onPick={(contact) => {
              onPick(contact);
              close();
            }}
          />
        )}
      </PopoverPanel>
    </Popover>
  );
}

function matches(contact: Contact, words: string): boolean {
  const text = [contactName(contact), contact.email, contact.company].join(" ").toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Search field and list; the focus stays in the field, the arrow keys walk through the list. */
function ContactList({ workspaceId, onPick }: Omit<ContactPickerProps, "chosen">) {
  const { t } = useTranslation("envelopes");
  const id = useId();
  const [words, setWords] = useState("");
  const [active, setActive] = useState(0);
  const contacts = useQuery({ ...contactsQuery(workspaceId ?? 0), enabled: workspaceId !== undefined });
  const found = (contacts.data ?? []).filter((contact) => matches(contact, words.trim()));
  // Keys are answered at once; a long list follows them when there is time.
  const drawn = useDeferredValue(found, found.slice(0, DRAWN_FIRST));

  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      const next = (active + step + found.length) % found.length;
      setActive(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      const contact = found[active];
      if (contact) onPick(contact);
    }
  };

  return (
    <>
      <div className="relative border-line border-b p-2">
        <Search aria-hidden className="pointer-events-none absolute top-4.5 left-4.5 size-4 text-ink-soft" />
        <Input
          autoFocus
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={found[active] && `${id}-${active}`}
          aria-label={t("wizard.searchContacts")}
          placeholder={t("wizard.searchContacts")}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
          className="pl-8"
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("wizard.contact")}
        className="min-h-0 overflow-y-auto p-1"
      >
        {drawn.map((contact, place) => (
          <ContactOption
            key={contact.id}
            id={`${id}-${place}`}
            contact={contact}
            active={place === active}
            onPick={onPick}
          />
        ))}
      </div>
      <ListNote pending={contacts.isPending} failed={contacts.isError} empty={found.length === 0} />
    </>
  );
}

type ContactOptionProps = {
  id: string;
  contact: Contact;
  active: boolean;
  onPick: (contact: Contact) => void;
};

const ContactOption = memo(function ContactOption({ id, contact, active, onPick }: ContactOptionProps) {
  const name = contactName(contact);
  const detail = [contact.email, contact.company].filter(Boolean).join(" · ");
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onClick={() => onPick(contact)}
      onKeyDown={(event) => event.key === "Enter" && onPick(contact)}
      className={cx(
        "flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 contain-content hover:bg-hover",
        active && "bg-hover",
      )}
    >
      <Avatar name={name} url={null} className="size-8" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-ink-soft text-xs" title={detail}>
          {detail}
        </span>
      </span>
    </div>
  );
});

function ListNote({ pending, failed, empty }: { pending: boolean; failed: boolean; empty: boolean }) {
  const { t } = useTranslation(["envelopes", "common"]);
  if (pending) {
    return (
      <SkeletonGroup label={t("common:loading")} className="space-y-2 p-3">
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </SkeletonGroup>
    );
  }
  return (
    <p role="status" className={cx("text-center text-ink-soft", (failed || empty) && "px-4 py-6")}>
      {failed ? t("wizard.contactsFailed") : empty && t("wizard.noContacts")}
    </p>
  );
}
