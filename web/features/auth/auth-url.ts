import { safeNextPath } from "../../../worker/contract/pages";

export type SignInUrl = {
  view: "signIn" | (typeof MODES)[number];
  next: string | undefined;
  /** The error code if signing in with another service failed. */
  error: string | undefined;
  deleted: boolean;
};

/** What the sign-in page can show instead of its first view: a form for a forgotten password, what came of a provider. */
const MODES = ["forgot", "confirm"] as const;

/** The pages that mailed links lead to. */
const LINK_VIEWS = [
  "reset",
  "verify",
  "revert-email",
  "release-email",
  "restore-owner",
  "invite",
  "setup",
  "sign-in",
  "unsubscribe",
] as const;
export type LinkView = (typeof LINK_VIEWS)[number];

/** A parsed URL of the sign-in page. */
export type AuthUrl = SignInUrl | { view: LinkView; token: string };

/** The path of the sign-in page. */
export function authPath(search: { next?: string | undefined; mode?: "forgot"; deleted?: "1" } = {}): string {
  const params = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return params.length > 0 ? `/auth?${new URLSearchParams(params)}` : "/auth";
}

/** Parses a URL such as `/auth?next=%2Fcontacts` or `/reset/token`. */
export function parseAuthUrl(href: string): AuthUrl {
  const [path = "", query] = href.split("?", 2);
  const [, page, token = ""] = path.split("/");
  const view = LINK_VIEWS.find((link) => link === page);
  if (view) return { view, token };
  const search = new URLSearchParams(query);
  return {
    view: MODES.find((mode) => mode === search.get("mode")) ?? "signIn",
    next: safeNextPath(search.get("next")),
    error: search.get("error") || undefined,
    deleted: search.has("deleted"),
  };
}

/** The current URL with the page to return to, as `parseAuthUrl` expects it. */
export function currentAuthUrl(): string {
  const url = new URL(location.href);
  const next: unknown = history.state?.next;
  if (typeof next === "string") url.searchParams.set("next", next);
  return url.pathname + url.search;
}

/** Moves the page to return to from the URL into the history entry, where it survives a reload. */
export function updateUrl(href: string, method: "pushState" | "replaceState"): void {
  const url = new URL(href, location.origin);
  const next = url.searchParams.get("next");
  url.searchParams.delete("next");
  history[method](next === null ? null : { next }, "", url.pathname + url.search);
}
