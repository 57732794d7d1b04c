import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { useQuery } from "@tanstack/react-query";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import {
  CalendarClock,
  FileText,
  FileUp,
  type LucideIcon,
  Mail,
  Plus,
  Search,
  Settings,
  UserPlus,
  UserRound,
  UsersRound,
} from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { containsWords } from "../../../worker/contract/searched-words";
import { Dialog } from "../../components/ui/dialog";
import { Input } from "../../components/ui/input";
import { useFormat } from "../../lib/use-format";
import { useDelayed } from "../../lib/use-url-input";
import { contactDetails, contactName } from "../contacts/contacts.queries";
import { useRole, useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { foundParts } from "./found-texts";
import { foundQuery } from "./search.queries";

type Hit = { key: string; icon: LucideIcon; label: string; detail?: string; to: LinkProps };
type Group = { title: string; hits: Hit[] };

type SearchDialogProps = {
  /** What it begins with. */
  words?: string;
  onClose: () => void;
};

/** Finds envelopes, contacts, templates and actions, and opens what is chosen. */
export default function SearchDialog({ words = "", onClose }: SearchDialogProps) {
  const { t } = useTranslation("search");
  const navigate = useNavigate();
  const [typed, setTyped] = useState(words);
  const { groups, isPending } = useGroups(typed);
  const format = useFormat();
  const count = groups.flatMap(({ hits }) => hits).length;
  // The combobox would take the first Escape to close its list, which is always shown here, wherever the focus is.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [onClose]);
  return (
    <Dialog title={t("title")} width="md" focus="field" onClose={onClose}>
      <Combobox<Hit | null>
        immediate
        value={null}
        by="key"
        onChange={(hit) => {
          if (!hit) return;
          onClose();
          void navigate(hit.to);
        }}
      >
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft"
          />
          <ComboboxInput
            as={Input}
            autoFocus
            autoComplete="off"
            aria-label={t("words")}
            placeholder={t("hint")}
            maxLength={LIMITS.search}
            displayValue={() => typed}
            onChange={(event) => setTyped(event.target.value)}
            className="pl-8"
          />
        </div>
        <ComboboxOptions static modal={false} aria-label={t("results")} className="mt-2 outline-none">
          {groups.map(({ title, hits }) => (
            <div key={title}>
              {hits.length > 0 && (
                <p aria-hidden className="px-2 pt-3 pb-1 font-medium text-ink-soft text-xs">
                  {title}
                </p>
              )}
              {hits.map((hit) => (
                <HitOption key={hit.key} hit={hit} group={title} words={typed} />
              ))}
            </div>
          ))}
        </ComboboxOptions>
        <p role="status" className={count > 0 ? "sr-only" : "py-4 text-center text-ink-soft empty:py-0"}>
          {!isPending && (count > 0 ? t("count", { number: format.number(count) }) : t("none"))}
        </p>
      </Combobox>
    </Dialog>
  );
}

function HitOption({ hit, group, words }: { hit: Hit; group: string; words: string }) {
  const { icon: Icon, label, detail } = hit;
  return (
    <ComboboxOption
      value={hit}
      className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1.5 data-focus:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <span className="min-w-0">
        <span className="block truncate">
          <Marked text={label} words={words} />
        </span>
        {detail && (
          <span className="block truncate text-ink-soft text-xs">
            <Marked text={detail} words={words} />
          </span>
        )}
        <span className="sr-only">{group}</span>
      </span>
    </ComboboxOption>
  );
}

/** What is found for the words; without any, the actions alone. */
function useGroups(typed: string): { groups: Group[]; isPending: boolean } {
  const { t } = useTranslation(["search", "shell", "envelopes", "contacts", "templates"]);
  const workspace = useSelectedWorkspace();
  const words = typed.trim();
  const asked = useDelayed(words);
  const query = useQuery({
    ...foundQuery(workspace?.id ?? 0, asked),
    enabled: workspace !== undefined && asked !== "",
  });
  const found = words === "" ? undefined : query.data;
  const isCurrent = words === asked && !query.isPlaceholderData;
  // What was found for other words is narrowed at once, so that Enter does not open something else.
  const fits = ({ label, detail = "" }: Hit) => isCurrent || containsWords(`${label} ${detail}`, words);
  const actions = useActions().filter(({ label }) => containsWords(label, words));
  const onHome = { to: "/", search: { q: words } } as const;
  const all: Hit = { key: "all", icon: Search, label: t("all", { words }), to: onHome };
  const envelopes: Hit[] = (found?.envelopes ?? []).map(({ id, subject, recipient }) => ({
    ...{ key: `envelope ${id}`, icon: Mail, label: subject || t("envelopes:noSubject") },
    ...{ detail: recipient ?? "", to: { to: "/", search: { envelope: id } } as const },
  }));
  const contacts = (found?.contacts ?? []).map((contact) => ({
    ...{ key: `contact ${contact.id}`, icon: UserRound, label: contactName(contact) },
    detail: contactDetails(contact).join(" · "),
    to: { to: "/contacts/$contactId", params: { contactId: String(contact.id) } } as const,
  }));
  const toContacts = { to: "/contacts", search: { filter: words } } as const;
  const allContacts: Hit = {
    ...{ key: "all contacts", icon: Search, label: t("allContacts", { words }), to: toContacts },
  };
  const templates = (found?.templates ?? []).map(({ id, name, description }) => ({
    ...{ key: `template ${id}`, icon: FileText, label: name, detail: description ?? "" },
    to: { to: "/", search: { wizard: "new", template: id } } as const,
  }));
  const withAll = (hits: Hit[], all: Hit | false | undefined) => {
    const fitting = hits.filter(fits);
    return fitting.length > 0 && all ? [...fitting, all] : fitting;
  };
  return {
    isPending: words !== asked || (words !== "" && query.isFetching),
    groups: [
      { title: t("envelopes"), hits: withAll(envelopes, all) },
      { title: t("shell:nav.contacts"), hits: withAll(contacts, found?.moreContacts && allContacts) },
      { title: t("shell:nav.templates"), hits: templates.filter(fits) },
      { title: t("actions"), hits: actions },
    ],
  };
}

function useActions(): Hit[] {
  const { t } = useTranslation(["search", "shell", "envelopes", "contacts", "templates"]);
  const { mayEdit } = useRole();
  const writing: Hit[] = [
    {
      ...{ key: "new", icon: Plus, label: t("envelopes:newEnvelope") },
      to: { to: "/", search: { wizard: "new" } },
    },
    {
      ...{ key: "several", icon: UsersRound, label: t("envelopes:wizard.several") },
      to: { to: "/", search: { wizard: "several" } },
    },
    {
      ...{ key: "recurring", icon: CalendarClock, label: t("envelopes:wizard.recurring") },
      to: { to: "/", search: { wizard: "recurring" } },
    },
    {
      ...{ key: "contact", icon: UserPlus, label: t("contacts:add") },
      to: { to: "/contacts", search: { dialog: "new" } },
    },
    {
      ...{ key: "import", icon: FileUp, label: t("contacts:import.title") },
      to: { to: "/contacts", search: { dialog: "import" } },
    },
    {
      ...{ key: "template", icon: FileText, label: t("templates:new") },
      to: { to: "/templates", search: { dialog: "new" } },
    },
  ];
  return [
    ...(mayEdit ? writing : []),
    { key: "schedules", icon: CalendarClock, label: t("envelopes:schedules"), to: { to: "/schedules" } },
    { key: "workspace", icon: Settings, label: t("shell:workspace.manage"), to: { to: "/workspace" } },
    { key: "settings", icon: Settings, label: t("shell:nav.settings"), to: { to: "/profile" } },
  ];
}

/** A text in which what was searched for is marked. */
function Marked({ text, words }: { text: string; words: string }) {
  let at = 0;
  return foundParts(text, words).map((part, index) => {
    at += part.length;
    if (index % 2 === 0) return part;
    return (
      <mark key={at} className="bg-accent-soft text-inherit">
        {part}
      </mark>
    );
  });
}
