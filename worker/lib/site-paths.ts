/** Paths that can only be files: if missing, the response is 404 instead of a page. */
export const LOOKS_LIKE_A_FILE = /\.\w+$|^\/(?:assets|locales|pdfjs)\//;

/** pdf.js and its resources, in a folder named after its version. */
export const PDFJS_FOLDER = "/pdfjs/";

/** Folders of files that pages load. */
export const ASSET_FOLDERS = ["/assets/", "/locales/", PDFJS_FOLDER];

/** The routes of the app's page, besides "/". Any other path gets the same page with status 404. */
export const APP_PAGES = [
  "/templates",
  "/contacts",
  "/integrations",
  "/profile",
  "/workspace",
  "/administration",
  "/second-factor",
];

/** A route with an id in its path. */
const NUMBERED_PAGE = /^\/contacts\/\d+$/;

/** Whether the app's page has a route for the path; its router ignores a trailing slash. */
export function isAppPage(pathname: string): boolean {
  const path = pathname.replace(/\/$/, "");
  return path === "" || APP_PAGES.includes(path) || NUMBERED_PAGE.test(path);
}

/** The page for visitors who are not signed in. */
export const AUTH_PAGE = "/auth";

/** The page for each kind of private link, by the first segment of its path. */
export const LINK_PAGES: Readonly<Record<string, string>> = {
  submit: "/submit",
  verify: AUTH_PAGE,
  reset: AUTH_PAGE,
  "revert-email": AUTH_PAGE,
  "release-email": AUTH_PAGE,
  invite: AUTH_PAGE,
  setup: AUTH_PAGE,
  "sign-in": AUTH_PAGE,
  unsubscribe: AUTH_PAGE,
};
