/** Paths that can only be a file's: where there is none, the answer is 404 and not a page. */
export const LOOKS_LIKE_A_FILE = /\.\w+$|^\/(?:assets|locales)\//;

/** The paths of the app's own page, beside "/". The page is also the answer to any other path, then as a 404. */
export const APP_PAGES = ["/templates", "/contacts", "/integrations", "/profile"];

/** Whether the app's own page knows the path; its router takes a slash at the end for none. */
export const isAppPage = (pathname: string) =>
  pathname === "/" || APP_PAGES.includes(pathname.replace(/\/$/, ""));

/** The page of everything a visitor does before being signed in. */
export const AUTH_PAGE = "/auth";

/** The page that opens each kind of private link, by the first part of its path. */
export const LINK_PAGES: Readonly<Record<string, string>> = {
  submit: "/submit",
  verify: AUTH_PAGE,
  reset: AUTH_PAGE,
  "revert-email": AUTH_PAGE,
};
