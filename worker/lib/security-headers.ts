/** The security headers for both runtimes: pages, API responses and files. */

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "geolocation=(), microphone=(), payment=(), usb=()",
};

const HSTS = { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" };

/** For anything that search engines must not index. */
export const NOINDEX = { "X-Robots-Tag": "noindex" };

/** For what no browser renders as a page. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For scripts, styles and texts that pages load: the policy of a page is long, and means nothing there. */
export const ASSET_POLICY = { "Content-Security-Policy": NO_PAGE };

const withTransport = (https: boolean, headers: Record<string, string>) =>
  https ? { ...headers, ...HSTS } : headers;

/** For API responses, which no browser should render. */
export function apiHeaders(options: { https: boolean }): Record<string, string> {
  return withTransport(options.https, {
    ...COMMON,
    ...NOINDEX,
    "Content-Security-Policy": NO_PAGE,
    "Cache-Control": "no-store",
  });
}

/** For uploaded files: no content may execute. */
export function fileHeaders(options: { https: boolean }): Record<string, string> {
  return withTransport(options.https, {
    ...COMMON,
    ...NOINDEX,
    "Content-Security-Policy":
      "default-src 'none'; sandbox; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cache-Control": "private, no-cache",
  });
}

/**
 * For the web app's pages and their assets. `scriptHashes` are the hashes of the inline scripts from csp.json: quoted
 * source expressions. Pages of private links also get NOINDEX.
 */
export function pageHeaders(options: {
  https: boolean;
  scriptHashes: readonly string[];
}): Record<string, string> {
  const scripts = ["'self'", ...options.scriptHashes].join(" ");
  return withTransport(options.https, {
    ...COMMON,
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src ${scripts}`,
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
  });
}
