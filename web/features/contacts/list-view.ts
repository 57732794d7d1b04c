/** How contacts are sorted, by the name in the URL. */
export const CONTACT_SORTS = { newest: "-created", name: "name" } as const;
export type ContactSort = keyof typeof CONTACT_SORTS;

/** The list's state in the URL; absent is the default. */
export type ContactsView = {
  filter?: string | undefined;
  tag?: string | undefined;
  sortBy?: ContactSort | undefined;
};
