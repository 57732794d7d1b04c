import { ASSETS_FOLDER, PDFJS_FOLDER } from "./site-paths";

/** The security headers for both runtimes: pages, API responses and files. */

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "geolocation=(), microphone=(), payment=(), usb=()",
};

const HSTS_SECONDS = 63_072_000;

/** The site's transport: http or https, and whether HSTS includes its subdomains. */
export type Transport = { https: boolean; subdomains?: boolean };

/** For pages that search engines must not index. */
export const NOINDEX = { "X-Robots-Tag": "noindex" };

/** For responses that no browser renders as a page. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For scripts, styles and texts that pages load: the policy of a page is long, and has no effect there. */
export const ASSET_POLICY = { "Content-Security-Policy": NO_PAGE };

/**
 * The source of scripts in a folder: with its path where the site's host is known, because 'self' covers uploaded files too.
 * Their media type is none of a script, and they are not sent to one, but no script need come from there.
 */
const scriptsIn = (folder: string, host: string | undefined) => (host ? `${host}${folder}` : "'self'");

/** For pdf.js's worker, which has its own policy: it imports the decoders of scanned images from its folder. */
export const pdfjsPolicy = (host?: string) => ({
  "Content-Security-Policy": `${NO_PAGE}; script-src ${scriptsIn(PDFJS_FOLDER, host)}`,
});

function withTransport({ https, subdomains }: Transport, headers: Record<string, string>) {
  if (!https) return headers;
  const rest = subdomains ? "; includeSubDomains" : "";
  return { ...headers, "Strict-Transport-Security": `max-age=${HSTS_SECONDS}${rest}` };
}

/** For API responses, which no browser should render. */
export function apiHeaders(options: Transport): Record<string, string> {
  return withTransport(options, {
    ...COMMON,
    ...NOINDEX,
    "Content-Security-Policy": NO_PAGE,
    "Cache-Control": "no-store",
  });
}

/** For uploaded files: no content may execute. */
export function fileHeaders(options: Transport): Record<string, string> {
  return withTransport(options, {
    ...COMMON,
    ...NOINDEX,
    "Content-Security-Policy":
      "default-src 'none'; sandbox; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cache-Control": "private, no-cache",
  });
}

/**
 * For the web app's pages and their assets. `scriptHashes` are the hashes of the inline scripts from csp.json: quoted
 * source expressions. `host` is the site's, if the page is opened there. Pages of private links also get NOINDEX.
 */
export function pageHeaders(
  options: Transport & { scriptHashes: readonly string[]; host?: string },
): Record<string, string> {
  const { host, scriptHashes } = options;
  const scripts = [scriptsIn(ASSETS_FOLDER, host), ...scriptHashes].join(" ");
  return withTransport(options, {
    ...COMMON,
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src ${scripts}`,
      `worker-src ${scriptsIn(PDFJS_FOLDER, host)}`,
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types default mail",
    ].join("; "),
  });
}

/** Makes short responses of plain text, with the headers of pages. */
export const plainResponses =
  (ofPages: Record<string, string>) =>
  (status: number, text: string, headers: Record<string, string> = {}): Response => {
    const own = { "Content-Type": "text/plain;charset=utf-8", "Cache-Control": "no-store" };
    return new Response(`${text}\n`, { status, headers: { ...ofPages, ...own, ...headers } });
  };
