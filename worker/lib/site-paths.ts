/** Paths that can only be a file's: where there is none, the answer is 404 and not a page. */
export const LOOKS_LIKE_A_FILE = /\.\w+$|^\/(?:assets|locales)\//;

/** The paths of the app's own page, which is also the answer to any that is not known. */
export const APP_PAGES = ["/templates", "/contacts", "/integrations", "/profile"];

/** The page of everything a visitor does before being signed in. */
export const AUTH_PAGE = "/auth";

/** The page that opens each kind of private link, by the first part of its path. */
export const LINK_PAGES: Readonly<Record<string, string>> = {
  submit: "/submit",
  verify: AUTH_PAGE,
  reset: AUTH_PAGE,
};
