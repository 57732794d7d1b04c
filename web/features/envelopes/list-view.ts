import type { EnvelopeStatus } from "../../../worker/contract/options";
import { foldLetters, searchedWords } from "../../../worker/contract/searched-words";
import { type Envelope, recipientOf } from "./envelope";

/** The tabs of the list, by the names of the server's counts. */
export const TABS = ["all", "waiting", "overdue", "toReview", "completed", "expired", "drafts"] as const;
export type Tab = (typeof TABS)[number];
export type Counts = Record<Tab, number>;

/** What the list sorts by. The table has no column for the last three. */
export const SORT_KEYS = ["subject", "recipient", "status", "created", "due", "expires", "reminded"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/** A minus sorts descending. */
export type Sort = SortKey | `-${SortKey}`;
export const SORTS: readonly Sort[] = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

/** The order in which the server lists the envelopes. */
const SERVER_ORDER: Sort = "-created";

export function sortState(sort: Sort = SERVER_ORDER): { key: SortKey; descending: boolean } {
  const descending = sort.startsWith("-");
  return { key: (descending ? sort.slice(1) : sort) as SortKey, descending };
}

/** The list's state in the URL; absent is the default. */
export type ListView = {
  tab?: Tab | undefined;
  sort?: Sort | undefined;
  /** The table's filter, on the subject alone. */
  filter?: string | undefined;
  /** The words of the sidebar's search. */
  q?: string | undefined;
  /** Only what is assigned to the account, in a shared workspace. */
  mine?: true | undefined;
  /** Only what was sent together. */
  bulkId?: number | undefined;
};

type Listed = Pick<Envelope, "status" | "overdue" | "review" | "filesDeletedAt">;

const IN_TAB: Record<Tab, (envelope: Listed) => boolean> = {
  all: () => true,
  waiting: ({ status }) => status === "pending",
  overdue: ({ overdue }) => overdue,
  toReview: hasToReview,
  completed: (envelope) => envelope.status === "completed" && !hasToReview(envelope),
  expired: ({ status }) => status === "expired",
  drafts: ({ status }) => status === "draft",
};

/** Whether something was submitted that is not reviewed yet. */
export function hasToReview({ status, review, filesDeletedAt }: Omit<Listed, "overdue">): boolean {
  return status === "completed" && review.toReview > 0 && !filesDeletedAt;
}

const isInTab = (envelope: Listed, tab: Tab): boolean => IN_TAB[tab](envelope);

export function countTabs(envelopes: readonly Listed[]): Counts {
  const counts = Object.fromEntries(TABS.map((tab) => [tab, 0])) as Counts;
  for (const envelope of envelopes) for (const tab of TABS) if (IN_TAB[tab](envelope)) counts[tab] += 1;
  return counts;
}

/**
 * The counts in the header `all=12, waiting=3, …`; undefined if it is absent. Its completed envelopes include those to
 * review.
 */
export function parseCounts(header: string | null): Counts | undefined {
  if (header === null) return undefined;
  const numbers = new Map(
    [...header.matchAll(/(\w+)=(\d+)/g)].map(([, name, count]) => [name, Number(count)]),
  );
  const counts = Object.fromEntries(TABS.map((tab) => [tab, numbers.get(tab) ?? 0])) as Counts;
  return { ...counts, completed: counts.completed - counts.toReview };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const LIFE: Record<EnvelopeStatus, number> = { draft: 0, pending: 1, expired: 2, completed: 4 };

/** What each envelope is sorted by; null comes last in both directions. */
const SORT_VALUES: Record<SortKey, (envelope: Envelope) => string | number | null> = {
  subject: ({ subject }) => subject ?? "",
  recipient: (envelope) => recipientOf(envelope) || null,
  status: (envelope) => (hasToReview(envelope) ? 3 : LIFE[envelope.status]),
  created: ({ createdAt }) => createdAt,
  due: ({ dueDate, status }) => (status === "completed" ? null : dueDate),
  expires: ({ expirationDate, status }) => (status === "completed" ? null : expirationDate),
  reminded: ({ remindedAt }) => remindedAt,
};

const SORTED_AS_TEXT: readonly SortKey[] = ["subject", "recipient"];

/** The envelopes in this order; without one, as the server lists them. */
export function sortEnvelopes(envelopes: readonly Envelope[], sort: Sort | undefined): readonly Envelope[] {
  if (!sort) return envelopes;
  const { key, descending } = sortState(sort);
  const sortedBy = SORT_VALUES[key];
  const isText = SORTED_AS_TEXT.includes(key);
  const sign = descending ? -1 : 1;
  return envelopes.toSorted((one, other) => {
    const [first, second] = [sortedBy(one), sortedBy(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    if (isText) return sign * collator.compare(String(first), String(second));
    return first === second ? 0 : first < second ? -sign : sign;
  });
}

/** The envelopes that are assigned to an account. */
export const assignedTo = (envelopes: readonly Envelope[], userId: number): readonly Envelope[] =>
  envelopes.filter((envelope) => envelope.userId === userId);

/** The envelopes of the tab whose subject contains the filter and which contain every word of the search. */
export function findEnvelopes(
  envelopes: readonly Envelope[],
  { tab = "all", filter = "", q = "" }: Pick<ListView, "tab" | "filter" | "q">,
): readonly Envelope[] {
  const part = filter.trim().toLocaleLowerCase();
  const words = searchedWords(q).map(foldText);
  return envelopes.filter((envelope) => {
    if (!isInTab(envelope, tab)) return false;
    if (part && !(envelope.subject ?? "").toLocaleLowerCase().includes(part)) return false;
    if (words.length === 0) return true;
    const { all } = searchedText(envelope);
    return words.every((word) => all.includes(word));
  });
}

/** What the filter does not find, because it only reads the subject, but a search for the same words does. */
export function findElsewhere(envelopes: readonly Envelope[], view: Pick<ListView, "tab" | "filter" | "q">) {
  const filter = view.filter?.trim();
  if (!filter) return null;
  const q = [view.q, filter].filter(Boolean).join(" ");
  const found = findEnvelopes(envelopes, { tab: view.tab, q });
  if (found.length === 0) return null;
  const words = searchedWords(filter).map(foldText);
  const byRecipient = found.every((envelope) => {
    const { recipient } = searchedText(envelope);
    return words.every((word) => recipient.includes(word));
  });
  return { q, count: found.length, by: byRecipient ? ("recipient" as const) : ("other" as const) };
}

/** As one text to search in. Separates the texts by a line break, which no word contains. */
const joined = (texts: readonly (string | null | undefined)[]): string =>
  foldText(texts.filter(Boolean).join("\n"));

type SearchedText = {
  /** Name and address. */
  recipient: string;
  /** These, the subject and the names of the documents. */
  all: string;
};

const searchedTexts = new WeakMap<Envelope, SearchedText>();

/** What is searched in an envelope. */
function searchedText(envelope: Envelope): SearchedText {
  const known = searchedTexts.get(envelope);
  if (known) return known;
  const { subject, documents, customerEmail, contact } = envelope;
  const recipient = joined([recipientOf(envelope), customerEmail, contact?.firstName, contact?.lastName]);
  const all = `${recipient}\n${joined([subject, ...documents.map(({ name }) => name)])}`;
  const text = { recipient, all };
  searchedTexts.set(envelope, text);
  return text;
}

/** Without case and accents: "Müller" is found by "muller". */
const foldText = (text: string) =>
  foldLetters(text)
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
