import { SORTS, TABS } from "../../worker/contract/list-orders";
import { safeNextPath } from "../../worker/contract/pages";
import type { ListView } from "../features/envelopes/list-view";
import { SCHEDULE_TABS } from "../features/schedules/tab-names";

/** The search parameters of each page. Malformed ones are dropped without an error. */

type Parsers = Record<string, (value: unknown) => unknown>;
type Parsed<Of extends Parsers> = { [Name in keyof Of]?: ReturnType<Of[Name]> | undefined };

const parseBy =
  <Of extends Parsers>(parsers: Of) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(parsers).map(([name, parse]) => [name, parse(search[name])]),
    ) as Parsed<Of>;

function rowId(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Text from the URL: the router parses "2026" as a number. */
const text = (value: unknown): string | undefined => String(value ?? "") || undefined;

const oneOf =
  <const Value>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((known) => known === value);

/** What stays in the URL when a dialog opens over the list, or closes. */
const LIST = {
  ...{ tab: oneOf(TABS), sort: oneOf(SORTS), filter: text, q: text },
  mine: oneOf([true]),
  assignee: rowId,
  ...{ opened: oneOf(["never"]), messages: oneOf(["undelivered"]), deliveries: oneOf(["failed"]) },
  ...{ bulkId: rowId, templateId: rowId },
  ids: (value: unknown) => /^\d+(?:,\d+)*$/.exec(String(value))?.[0],
  view: oneOf(["board"]),
} satisfies Record<keyof ListView, unknown>;

export const listView = parseBy(LIST);

/**
 * An envelope whose details are open, and its submitted file that is shown over them or in the review mode: by its id, as
 * the `next` one to review, or as the first one of a requested `document`. With `from`, the review mode was opened from a
 * list and leads back to it.
 */
const DETAILS = {
  ...{ envelope: rowId, file: rowId, document: rowId },
  review: (value: unknown) => (value === "next" ? value : rowId(value)),
  from: oneOf(["list", "board"]),
};

export const homeSearch = parseBy({
  ...DETAILS,
  /** The wizard for one recipient or several, perhaps again and again (perhaps from a template); or it edits an envelope. */
  wizard: oneOf(["new", "several", "recurring"]),
  /** The series that is changed. */
  series: rowId,
  template: rowId,
  /** The recipient of a new envelope. */
  contact: rowId,
  /** Several recipients, by their ids with commas. */
  contacts: text,
  /** The envelope that a new one copies. */
  copy: rowId,
  edit: rowId,
  /** The bulk send whose failed recipients are tried again. */
  retry: rowId,
  ...LIST,
});
export type HomeSearch = ReturnType<typeof homeSearch>;

/** What is open over a contact: its form, or one of its envelopes with a file of that. */
export const contactSearch = parseBy({ dialog: oneOf(["edit"]), ...DETAILS });
export type ContactSearch = ReturnType<typeof contactSearch>;

/** The dialog over a list: a new entry, or the one being edited. */
export const templatesSearch = parseBy({ dialog: oneOf(["new"]), edit: rowId, filter: text });
export type TemplatesSearch = ReturnType<typeof templatesSearch>;

/** The contacts also have an import over them. */
export const contactsSearch = parseBy({
  ...{ dialog: oneOf(["new", "import"]), edit: rowId },
  ...{ filter: text, tag: text, sortBy: oneOf(["newest", "name"]) },
});
export type ContactsSearch = ReturnType<typeof contactsSearch>;

/** A tab of the page of schedules; `tab` is one of home's. */
export const schedulesSearch = parseBy({ schedules: oneOf(SCHEDULE_TABS) });

/** The page to return to. */
export const nextSearch = parseBy({ next: (value) => safeNextPath(text(value)) });

/** The workspace to select. */
export const workspaceSearch = parseBy({ id: rowId });
