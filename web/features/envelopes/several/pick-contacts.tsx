import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { NativeSelect, SearchInput } from "../../../components/ui/input";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { type Contact, matchesContact, useAllContacts } from "../../contacts/contacts.queries";
import { ContactLine } from "../wizard/contact-picker";

const LINE_HEIGHT = 52;

type PickContactsProps = {
  workspaceId: number | undefined;
  /** The ids of the contacts that are in the list already. */
  present: ReadonlySet<string>;
  onPick: (contacts: Contact[]) => void;
  onClose: () => void;
};

/** Chooses contacts: by search, all of a company or with a tag, or all. */
export function PickContacts({ workspaceId, present, onPick, onClose }: PickContactsProps) {
  const { t } = useTranslation(["several", "contacts", "envelopes", "common"]);
  const query = useAllContacts(workspaceId);
  const [words, setWords] = useState("");
  const [company, setCompany] = useState("");
  const [tag, setTag] = useState("");
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const contacts = useMemo(
    () => (query.data ?? []).filter(({ id }) => !present.has(String(id))),
    [query.data, present],
  );
  const { companies, tags } = useMemo(
    () => ({
      companies: [...new Set(contacts.flatMap((contact) => contact.company || []))].sort(),
      tags: [...new Set(contacts.flatMap((contact) => contact.tags))].sort(),
    }),
    [contacts],
  );
  const found = contacts.filter(
    (contact) =>
      (company === "" || contact.company === company) &&
      (tag === "" || contact.tags.includes(tag)) &&
      matchesContact(contact, words),
  );
  const isAll = found.length > 0 && found.every(({ id }) => picked.has(id));
  const toggle = (ids: readonly number[], on: boolean) =>
    setPicked((now) => {
      const next = new Set(now);
      for (const id of ids) on ? next.add(id) : next.delete(id);
      return next;
    });
  return (
    <Dialog
      nested
      width="md"
      focus="field"
      title={t("pick.open")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            variant="primary"
            disabled={picked.size === 0}
            onClick={() => onPick(contacts.filter(({ id }) => picked.has(id)))}
          >
            {t("pick.add", { count: picked.size })}
          </Button>
        </>
      }
    >
      {query.data ? (
        <>
          <div className="grid gap-2 sm:grid-cols-2">
            <SearchInput
              autoFocus
              label={t("envelopes:wizard.searchContacts")}
              className={companies.length > 0 && tags.length > 0 ? "sm:col-span-2" : ""}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            {companies.length > 0 && (
              <NativeSelect
                aria-label={t("pick.company")}
                value={company}
                options={[
                  { value: "", label: t("pick.anyCompany") },
                  ...companies.map((value) => ({ value, label: value })),
                ]}
                onChange={({ target }) => setCompany(target.value)}
              />
            )}
            {tags.length > 0 && (
              <NativeSelect
                aria-label={t("contacts:dialog.tags")}
                value={tag}
                options={[
                  { value: "", label: t("contacts:allTags") },
                  ...tags.map((value) => ({ value, label: value })),
                ]}
                onChange={({ target }) => setTag(target.value)}
              />
            )}
          </div>
          {found.length > 0 && (
            <label className="mt-3 flex w-fit cursor-pointer items-center gap-2.5 px-3 py-1">
              <input
                type="checkbox"
                className="size-4 shrink-0"
                checked={isAll}
                onChange={() =>
                  toggle(
                    found.map(({ id }) => id),
                    !isAll,
                  )
                }
              />
              {t("pick.all", { count: found.length })}
            </label>
          )}
          <Lines contacts={found} picked={picked} onToggle={(id, on) => toggle([id], on)} />
          <p role="status" className="text-center text-ink-soft">
            {found.length === 0 && t("envelopes:wizard.noContacts")}
          </p>
        </>
      ) : (
        <QueryPlaceholder
          query={query}
          failed={t("envelopes:wizard.contactsFailed")}
          rowClass="h-10"
          rows={4}
        />
      )}
    </Dialog>
  );
}

type LinesProps = {
  contacts: readonly Contact[];
  picked: ReadonlySet<number>;
  onToggle: (id: number, on: boolean) => void;
};

/** Only the visible ones are rendered. */
function Lines({ contacts, picked, onToggle }: LinesProps) {
  const { t } = useTranslation("envelopes");
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 6,
  });
  return (
    <div ref={scroller} className="mt-1 max-h-80 overflow-y-auto max-sm:max-h-[60dvh]">
      <ul
        aria-label={t("wizard.contact")}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const contact = contacts[index];
          if (!contact) return null;
          const checked = picked.has(contact.id);
          return (
            <li
              key={contact.id}
              aria-setsize={contacts.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0"
              style={{ height: LINE_HEIGHT, transform: `translateY(${start}px)` }}
            >
              <label className="flex h-full cursor-pointer items-center gap-2.5 rounded-control px-3 hover:bg-hover">
                <input
                  type="checkbox"
                  className="size-4 shrink-0"
                  checked={checked}
                  onChange={() => onToggle(contact.id, !checked)}
                />
                <ContactLine contact={contact} />
              </label>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
