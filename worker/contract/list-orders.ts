/** The tabs of the list of envelopes. Those in `completed` have nothing to review. */
export const TABS = [
  "all",
  "waiting",
  "overdue",
  "toReview",
  "completed",
  "expired",
  "scheduled",
  "drafts",
] as const;
export type Tab = (typeof TABS)[number];

/** What a filter is part of: the subject, or of what has it not in its subject the recipient. */
export const FILTERED_BY = ["subject", "recipient"] as const;
export type FilteredBy = (typeof FILTERED_BY)[number];

/** What lists are sorted by; a minus sorts descending. What has no value comes last in both directions. */
export const SORT_KEYS = [
  "subject",
  "recipient",
  "status",
  "created",
  "due",
  "expires",
  "reminded",
  "sends",
] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const NAME_SORT_KEYS = ["name", "created"] as const;
export type NameSortKey = (typeof NAME_SORT_KEYS)[number];

type Directed<Key extends string> = Key | `-${Key}`;
export type Sort = Directed<SortKey>;
export type NameSort = Directed<NameSortKey>;

const directed = <Key extends string>(keys: readonly Key[]): Directed<Key>[] =>
  keys.flatMap((key) => [key, `-${key}`] as const);
export const SORTS: readonly Sort[] = directed(SORT_KEYS);
export const NAME_SORTS: readonly NameSort[] = directed(NAME_SORT_KEYS);
/** The order of a list without `sort`. */
export const DEFAULT_SORT = "-created";

export function sortState<Key extends string>(sort: Directed<Key>): { key: Key; descending: boolean } {
  const descending = sort.startsWith("-");
  return { key: (descending ? sort.slice(1) : sort) as Key, descending };
}
