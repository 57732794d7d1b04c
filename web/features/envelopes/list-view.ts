import type { Envelope } from "./envelope";
import { recipientOf } from "./envelope-display";

/** The tabs of the list, by the names of the server's counts. */
export const TABS = ["all", "waiting", "toReview", "completed", "expired", "drafts"] as const;
export type Tab = (typeof TABS)[number];
export type Counts = Record<Tab, number>;

/** A minus sorts descending. */
export const SORTS = ["subject", "-subject", "created", "-created"] as const;
export type Sort = (typeof SORTS)[number];

/** The list's state in the URL; absent is the default. */
export type ListView = {
  tab?: Tab | undefined;
  sort?: Sort | undefined;
  /** The table's filter, on the subject alone. */
  filter?: string | undefined;
  /** The words of the sidebar's search. */
  q?: string | undefined;
};

type Listed = Pick<Envelope, "status" | "review" | "filesDeletedAt">;

const IN_TAB: Record<Tab, (envelope: Listed) => boolean> = {
  all: () => true,
  waiting: ({ status }) => status === "pending",
  toReview: ({ status, review, filesDeletedAt }) =>
    status === "completed" && review.toReview > 0 && !filesDeletedAt,
  completed: ({ status }) => status === "completed",
  expired: ({ status }) => status === "expired",
  drafts: ({ status }) => status === "draft",
};

const isInTab = (envelope: Listed, tab: Tab): boolean => IN_TAB[tab](envelope);

export function countTabs(envelopes: readonly Listed[]): Counts {
  const counts: Counts = { all: 0, waiting: 0, toReview: 0, completed: 0, expired: 0, drafts: 0 };
  for (const envelope of envelopes) for (const tab of TABS) if (IN_TAB[tab](envelope)) counts[tab] += 1;
  return counts;
}

/** The counts in the header `all=12, waiting=3, …`; undefined if it is absent. */
export function parseCounts(header: string | null): Counts | undefined {
  if (header === null) return undefined;
  const numbers = new Map(
    [...header.matchAll(/(\w+)=(\d+)/g)].map(([, name, count]) => [name, Number(count)]),
  );
  return Object.fromEntries(TABS.map((tab) => [tab, numbers.get(tab) ?? 0])) as Counts;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const COMPARISONS = {
  subject: (one: Envelope, other: Envelope) => collator.compare(one.subject ?? "", other.subject ?? ""),
  created: (one: Envelope, other: Envelope) =>
    one.createdAt < other.createdAt ? -1 : Number(one.createdAt > other.createdAt),
};

/** The envelopes in this order; without one, as the server lists them. */
export function sortEnvelopes(envelopes: readonly Envelope[], sort: Sort | undefined): readonly Envelope[] {
  if (!sort) return envelopes;
  const descending = sort.startsWith("-");
  const compare = COMPARISONS[(descending ? sort.slice(1) : sort) as keyof typeof COMPARISONS];
  return envelopes.toSorted(descending ? (one, other) => compare(other, one) : compare);
}

/** The envelopes of the tab whose subject contains the filter and which contain every word of the search. */
export function findEnvelopes(
  envelopes: readonly Envelope[],
  { tab = "all", filter = "", q = "" }: Pick<ListView, "tab" | "filter" | "q">,
): readonly Envelope[] {
  const part = filter.trim().toLocaleLowerCase();
  const words = foldText(q).split(/\s+/).filter(Boolean);
  return envelopes.filter((envelope) => {
    if (!isInTab(envelope, tab)) return false;
    if (part && !(envelope.subject ?? "").toLocaleLowerCase().includes(part)) return false;
    if (words.length === 0) return true;
    const text = searchedText(envelope);
    return words.every((word) => text.includes(word));
  });
}

const searchedTexts = new WeakMap<Envelope, string>();

/** Subject, recipient, e-mail and the names of the documents. */
function searchedText(envelope: Envelope): string {
  const known = searchedTexts.get(envelope);
  if (known !== undefined) return known;
  const { subject, customerEmail, contact, documents } = envelope;
  const texts = [
    ...[subject, recipientOf(envelope), customerEmail, contact?.firstName, contact?.lastName],
    ...documents.map(({ name }) => name),
  ];
  // Separates the texts by a line break, which no word contains.
  const text = foldText(texts.filter(Boolean).join("\n"));
  searchedTexts.set(envelope, text);
  return text;
}

/** Without case and accents: "Müller" is found by "muller". */
const foldText = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLocaleLowerCase();
