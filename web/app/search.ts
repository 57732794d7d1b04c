import { SORTS, TABS } from "../../worker/contract/list-orders";
import { safeNextPath } from "../../worker/contract/pages";
import type { ContactsView } from "../features/contacts/list-view";
import type { ListView } from "../features/envelopes/list-view";

/** The search parameters of each page. Malformed ones are dropped without an error. */

type Search = Record<string, unknown>;

function rowId(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export type HomeSearch = {
  /** The envelope whose details are open. */
  envelope?: number | undefined;
  /** Its submitted file that is open. */
  file?: number | undefined;
  /** Its submitted file that the review mode shows. */
  review?: number | undefined;
  /** The wizard for one recipient or several (perhaps from a template); or it edits an envelope. */
  wizard?: "new" | "several" | undefined;
  template?: number | undefined;
  /** The recipient of a new envelope. */
  contact?: number | undefined;
  /** The envelope that a new one copies. */
  copy?: number | undefined;
  edit?: number | undefined;
  /** The bulk send whose failed recipients are tried again. */
  retry?: number | undefined;
} & ListView;

/** The search parameters that stay in the URL when a dialog opens over the list, or closes. */
export const listView = ({ tab, sort, filter, q, mine, bulkId }: ListView): ListView => ({
  tab,
  sort,
  filter,
  q,
  mine,
  bulkId,
});

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);

/** Text from the URL: the router parses "2026" as a number. */
const typed = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : text(String(value));

export function homeSearch(search: Search): HomeSearch {
  return {
    envelope: rowId(search.envelope),
    file: rowId(search.file),
    review: rowId(search.review),
    wizard: oneOf(["new", "several"], search.wizard),
    template: rowId(search.template),
    contact: rowId(search.contact),
    copy: rowId(search.copy),
    edit: rowId(search.edit),
    retry: rowId(search.retry),
    tab: oneOf(TABS, search.tab),
    sort: oneOf(SORTS, search.sort),
    filter: typed(search.filter),
    q: typed(search.q),
    mine: search.mine === true ? true : undefined,
    bulkId: rowId(search.bulkId),
  };
}

/** What is open over a contact: its form, or one of its envelopes with a file of that. */
export type ContactSearch = { dialog?: "edit" | undefined } & Pick<
  HomeSearch,
  "envelope" | "file" | "review"
>;

export function contactSearch(search: Search): ContactSearch {
  const { envelope, file, review } = homeSearch(search);
  return { dialog: search.dialog === "edit" ? "edit" : undefined, envelope, file, review };
}

/** The dialog over a list: a new entry, or the one being edited. */
export type ListSearch = { dialog?: "new" | undefined; edit?: number | undefined };

export function listSearch(search: Search): ListSearch {
  return { dialog: search.dialog === "new" ? "new" : undefined, edit: rowId(search.edit) };
}

/** The contacts also have an import over them. */
export type ContactsSearch = Omit<ListSearch, "dialog"> & {
  dialog?: "new" | "import" | undefined;
} & ContactsView;

export function contactsSearch(search: Search): ContactsSearch {
  return {
    ...listSearch(search),
    dialog: oneOf(["new", "import"], search.dialog),
    filter: typed(search.filter),
    sortBy: oneOf(["newest", "name"], search.sortBy),
  };
}

/** The page to return to. */
export type NextSearch = { next?: string | undefined };

export const nextSearch = (search: Search): NextSearch => ({
  next: safeNextPath(text(search.next)),
});

/** The workspace to select. */
export type WorkspaceSearch = { id?: number | undefined };

export const workspaceSearch = (search: Search): WorkspaceSearch => ({ id: rowId(search.id) });
