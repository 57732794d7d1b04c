import { useMemo, useSyncExternalStore } from "react";
import { focusContent } from "../../lib/focus-content";
import { type AuthUrl, currentAuthUrl, parseAuthUrl, updateUrl } from "./auth-url";

/** The view that is prerendered into the HTML, for every URL. */
const PRERENDERED = "/auth";

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}

/** The current URL; during hydration, that of the prerendered view. */
export function useAuthUrl(): AuthUrl {
  const href = useSyncExternalStore(subscribe, currentAuthUrl, () => PRERENDERED);
  return useMemo(() => parseAuthUrl(href), [href]);
}

/** Navigates to another sign-in page without a reload. */
export function navigateTo(href: string): void {
  updateUrl(href, "pushState");
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
  focusContent();
}
