import { useMemo, useSyncExternalStore } from "react";
import { type AuthUrl, currentAuthUrl, parseAuthUrl, updateUrl } from "./auth-url";

/** What the HTML holds, whatever its address. */
const PRERENDERED = "/auth";

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}

/** The address as it changes; while React takes over the HTML, that of what is drawn there. */
export function useAuthUrl(): AuthUrl {
  const href = useSyncExternalStore(subscribe, currentAuthUrl, () => PRERENDERED);
  return useMemo(() => parseAuthUrl(href), [href]);
}

/** Goes to another of the visitor's pages, without loading anything. */
export function navigateTo(href: string): void {
  updateUrl(href, "pushState");
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}
