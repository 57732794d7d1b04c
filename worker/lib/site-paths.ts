import { PRIVATE_PAGES } from "./security-headers";

/** Paths that can only be a file's: where there is none, the answer is 404 and not a page. */
export const LOOKS_LIKE_A_FILE = /\.\w+$|^\/(?:assets|locales)\//;

/** The paths of the app's own page; any other is its not-found page. */
export const APP_PAGES = ["/auth", "/templates", "/contacts", "/integrations", "/profile"];

/** The first parts of the paths of links that are opened in the app's own page. */
export const APP_LINKS = PRIVATE_PAGES.filter((name) => name !== "submit");
