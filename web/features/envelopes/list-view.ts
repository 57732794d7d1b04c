import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import {
  DEFAULT_SORT,
  type Sort,
  type SortKey,
  sortState,
  TABS,
  type Tab,
} from "../../../worker/contract/list-orders";
import type { EnvelopeStatus } from "../../../worker/contract/options";
import { hasToReview, isDone } from "../../../worker/contract/request-words";
import { foldText, textKey } from "../../../worker/contract/text-order";
import type { ListPage } from "../../lib/api";

export type Counts = Record<Tab, number>;

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
  /** Only what is assigned to this colleague. */
  assignee?: number | undefined;
  /** Only what was sent and whose link was never opened. */
  opened?: "never" | undefined;
  /** Only what waits for a recipient who did not get the last message. */
  messages?: "undelivered" | undefined;
  /** Only those with a file that could not be delivered to a destination. */
  deliveries?: "failed" | undefined;
  /** Only what was sent together. */
  bulkId?: number | undefined;
  /** Only what was created from this template. */
  templateId?: number | undefined;
  /** Only these, separated by commas. */
  ids?: string | undefined;
  /** Who owes what, instead of the table. */
  view?: "board" | undefined;
};

const IN_TAB: Record<Tab, (envelope: EnvelopeRow) => boolean> = {
  all: () => true,
  waiting: ({ status }) => status === "pending",
  overdue: ({ overdue }) => overdue,
  toReview: hasToReview,
  completed: isDone,
  expired: ({ status }) => status === "expired",
  scheduled: ({ status }) => status === "scheduled",
  drafts: ({ status }) => status === "draft",
};

export function countTabs(envelopes: readonly EnvelopeRow[]): Counts {
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

const LIFE: Record<EnvelopeStatus, number> = { draft: 0, scheduled: 1, pending: 2, expired: 3, completed: 5 };

/** What each envelope is sorted by; null comes last in both directions. */
const SORT_VALUES: Record<SortKey, (envelope: EnvelopeRow) => string | number | null | undefined> = {
  subject: ({ subject }) => subject && textKey(subject),
  recipient: ({ recipient }) => recipient && textKey(recipient),
  status: (envelope) => (hasToReview(envelope) ? 4 : LIFE[envelope.status]),
  created: ({ id }) => id,
  due: ({ dueDate, status }) => (status === "completed" ? null : dueDate),
  expires: ({ expirationDate, status }) => (status === "completed" ? null : expirationDate),
  reminded: ({ remindedAt }) => remindedAt,
  sends: ({ sendOn }) => sendOn,
};

/** The envelopes in this order, as the server sorts them. */
export function sortEnvelopes(envelopes: readonly EnvelopeRow[], sort: Sort | undefined) {
  const { key, descending } = sortState(sort ?? DEFAULT_SORT);
  const sign = descending ? -1 : 1;
  const sorted = envelopes.map((envelope) => ({ envelope, value: SORT_VALUES[key](envelope) ?? null }));
  sorted.sort(({ envelope: one, value: first }, { envelope: other, value: second }) => {
    if (first === second) return sign * (one.id - other.id);
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -sign : sign;
  });
  return sorted.map(({ envelope }) => envelope);
}

/** The envelopes whose subject contains the filter, as the server finds them. */
export function filterBySubject(envelopes: readonly EnvelopeRow[], filter: string) {
  const part = foldText(filter.trim());
  return part === ""
    ? envelopes
    : envelopes.filter(({ subject }) => subject && foldText(subject).includes(part));
}

/** The others whose recipient contains the filter, as the server finds them. */
export function filterByRecipient(envelopes: readonly EnvelopeRow[], filter: string) {
  const part = textKey(filter.trim());
  if (part === "") return [];
  const found = new Set(filterBySubject(envelopes, filter));
  return envelopes.filter((row) => !found.has(row) && row.recipient && textKey(row.recipient).includes(part));
}

export const inTab = (envelopes: readonly EnvelopeRow[], tab: Tab) => envelopes.filter(IN_TAB[tab]);

/**
 * Whether the server filters, sorts and counts a list, since its first page does not hold all of it. Otherwise the browser
 * does.
 */
export const isLongList = (list: { pages: readonly ListPage<EnvelopeRow>[] } | undefined): boolean =>
  list?.pages[0]?.next !== undefined;
