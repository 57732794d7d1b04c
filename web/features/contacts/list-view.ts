export const CONTACT_SORTS = ["newest", "name", "company", "email", "lastRequest"] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

/** The list's state in the URL; absent is the default. */
export type ContactsView = { filter?: string | undefined; sortBy?: ContactSort | undefined };
