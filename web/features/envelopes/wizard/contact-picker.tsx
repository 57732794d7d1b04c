import {
  Combobox,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Popover,
  PopoverButton,
  PopoverPanel,
} from "@headlessui/react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ContactRound, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Avatar } from "../../../components/ui/avatar";
import { buttonClass } from "../../../components/ui/button";
import { Input } from "../../../components/ui/input";
import { Skeleton, SkeletonGroup } from "../../../components/ui/query-placeholder";
import { cx } from "../../../lib/cx";
import { useDelayed } from "../../../lib/use-url-input";
import {
  type Contact,
  contactDetails,
  contactName,
  contactsQuery,
  matchesContact,
} from "../../contacts/contacts.queries";

/** The virtualizer renders nothing into a list without a height. */
const OPTION_HEIGHT = 52;
const VISIBLE_OPTIONS = 5.5;

type ContactPickerProps = {
  workspaceId: number | undefined;
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
          <span>{t("wizard.chooseContact")}</span>
        )}
      </PopoverButton>
      <PopoverPanel
        anchor={{ to: "bottom start", gap: 4, padding: 16 }}
        className="appear z-50 flex [--anchor-max-height:24rem] w-[min(400px,calc(100vw-2rem))] flex-col rounded-card border border-line bg-surface shadow-float"
      >
        {({ close }) => (
          <ContactList
            workspaceId={workspaceId}
            onPick={(contact) => {
              onPick(contact);
              close();
            }}
            onClose={close}
          />
        )}
      </PopoverPanel>
    </Popover>
  );
}

type ContactListProps = Omit<ContactPickerProps, "chosen"> & { onClose: () => void };

/** A search field and the contacts that match it. Only the visible ones are rendered. */
function ContactList({ workspaceId, onPick, onClose }: ContactListProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const [words, setWords] = useState("");
  const typed = useDelayed(words);
  const contacts = useInfiniteQuery({
    ...contactsQuery({ workspaceId: workspaceId ?? 0, sort: "name", filter: typed.trim() || undefined }),
    enabled: workspaceId !== undefined,
  });
  // Those from before are narrowed at once, so that Enter does not pick somebody else.
  const found = (contacts.data ?? []).filter((contact) => matchesContact(contact, words));
  const isEmpty = found.length === 0 && !contacts.isFetching;
  return (
    <Combobox<Contact | null>
      immediate
      value={null}
      by="id"
      virtual={{ options: found }}
      onChange={(contact) => contact && onPick(contact)}
    >
      <div
        className="relative border-line border-b p-2"
        onKeyDownCapture={(event) => {
          // The combobox would take the first Escape to close its list, which is always shown here.
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-4.5 left-4.5 size-4 text-ink-soft" />
        <ComboboxInput
          as={Input}
          autoFocus
          autoComplete="off"
          aria-label={t("wizard.searchContacts")}
          placeholder={t("wizard.searchContacts")}
          maxLength={LIMITS.filter}
          onChange={(event) => setWords(event.target.value)}
          className="pl-8"
        />
      </div>
      {/* Not modal: the button could not take the focus back while everything else is inert. */}
      <ComboboxOptions
        static
        modal={false}
        aria-label={t("wizard.contact")}
        style={{ height: Math.min(found.length, VISIBLE_OPTIONS) * OPTION_HEIGHT }}
        className="overflow-y-auto outline-none"
      >
        {({ option }: { option: Contact }) => (
          <ComboboxOption
            value={option}
            className="flex h-13 w-full cursor-pointer items-center gap-2.5 px-3 data-focus:bg-hover"
          >
            <ContactLine contact={option} />
          </ComboboxOption>
        )}
      </ComboboxOptions>
      {contacts.isPending ? (
        <SkeletonGroup label={t("common:loading")} className="space-y-2 p-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </SkeletonGroup>
      ) : (
        <p
          role="status"
          className={cx("text-center text-ink-soft", (contacts.isError || isEmpty) && "px-4 py-6")}
        >
          {contacts.isError ? t("wizard.contactsFailed") : isEmpty && t("wizard.noContacts")}
        </p>
      )}
    </Combobox>
  );
}

export function ContactLine({ contact }: { contact: Contact }) {
  const name = contactName(contact);
  const { t } = useTranslation("envelopes");
  const detail = [contact.unsubscribedAt && t("unsubscribed.title"), ...contactDetails(contact)]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <Avatar name={name} url={null} className="size-8" />
      <span className="min-w-0">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        <span className="block truncate text-ink-soft text-xs" title={detail}>
          {detail}
        </span>
      </span>
    </>
  );
}
