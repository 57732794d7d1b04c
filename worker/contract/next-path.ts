/** A placeholder for this site's origin. */
const SITE = "https://site.invalid";

/**
 * Returns a path inside the app to return to; undefined for another site and for the sign-in page itself. Compares the
 * origins that the browser's parser finds, because it drops tabs and line breaks and reads a backslash as a slash.
 */
export function safeNextPath(path: string | null): string | undefined {
  if (!path?.startsWith("/") || /[\p{Cc}\\]/u.test(path)) return undefined;
  const url = parseUrl(path);
  if (url?.origin !== SITE || url.pathname.startsWith("//") || url.pathname === "/auth") return undefined;
  return path;
}

/** `URL.parse` and `URL.canParse` are newer than the oldest browsers that are supported. */
function parseUrl(path: string): URL | null {
  try {
    return new URL(path, SITE);
  } catch {
    return null;
  }
}
