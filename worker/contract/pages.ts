/** The routes of the app's page, besides "/". Any other path gets the same page with status 404. */
export const APP_PAGES = [
  "/templates",
  "/contacts",
  "/schedules",
  "/integrations",
  "/profile",
  "/workspace",
  "/administration",
  "/second-factor",
];

/** A route with an id in its path. */
const NUMBERED_PAGE = /^\/contacts\/\d+$/;

/** The pages of mailed links to which signing in leads back. */
const LINK_TO_RETURN_TO = /^\/(?:invite|verify)\/[\w-]+$/;

/** A placeholder for this site's origin. */
const SITE = "https://site.invalid";

/** Whether the app's page has a route for the path; its router ignores a trailing slash. */
export function isAppPage(pathname: string): boolean {
  const path = pathname.replace(/\/$/, "");
  return path === "" || APP_PAGES.includes(path) || NUMBERED_PAGE.test(path);
}

/**
 * Returns the page of the app to return to after signing in, with its query and hash; undefined for anything else, such as
 * another site, a call or a file. The browser's parser decides, because it drops tabs, reads a backslash as a slash and
 * resolves dots.
 */
export function safeNextPath(path: string | null | undefined): string | undefined {
  if (!path?.startsWith("/")) return undefined;
  const { origin, pathname, search, hash } = parseUrl(path) ?? {};
  const isPage = origin === SITE && pathname && (isAppPage(pathname) || LINK_TO_RETURN_TO.test(pathname));
  return isPage ? `${pathname}${search}${hash}` : undefined;
}

/** `URL.parse` and `URL.canParse` are newer than the oldest browsers that are supported. */
function parseUrl(path: string): URL | null {
  try {
    return new URL(path, SITE);
  } catch {
    return null;
  }
}
