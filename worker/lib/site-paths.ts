/** Paths that can only be files: if missing, the response is 404 instead of a page. */
export const LOOKS_LIKE_A_FILE = /\.\w+$|^\/(?:assets|locales|pdfjs)\//;

/** pdf.js and its resources, in a folder named after its version. */
export const PDFJS_FOLDER = "/pdfjs/";

/** The built scripts and styles. */
export const ASSETS_FOLDER = "/assets/";

/** Folders of files that pages load. */
export const ASSET_FOLDERS = [ASSETS_FOLDER, "/locales/", PDFJS_FOLDER];

/** The page for visitors who are not signed in. */
export const AUTH_PAGE = "/auth";

/** The page for each kind of private link, by the first segment of its path. */
export const LINK_PAGES: Readonly<Record<string, string>> = {
  submit: "/submit",
  verify: AUTH_PAGE,
  reset: AUTH_PAGE,
  "revert-email": AUTH_PAGE,
  "release-email": AUTH_PAGE,
  "restore-owner": AUTH_PAGE,
  invite: AUTH_PAGE,
  setup: AUTH_PAGE,
  "sign-in": AUTH_PAGE,
  unsubscribe: AUTH_PAGE,
};
