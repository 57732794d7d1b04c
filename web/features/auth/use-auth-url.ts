import { useMemo, useSyncExternalStore } from "react";
import { type Address, currentHref, readAddress, showAddress } from "./auth-url";

/** What the HTML holds, whatever its address. */
const DRAWN = "/auth";

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}

/** The address as it changes; while React takes over the HTML, that of what is drawn there. */
export function useAddress(): Address {
  const href = useSyncExternalStore(subscribe, currentHref, () => DRAWN);
  return useMemo(() => readAddress(href), [href]);
}

/** Goes to another of the visitor's pages, without loading anything. */
export function go(href: string): void {
  showAddress(href, "pushState");
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}
