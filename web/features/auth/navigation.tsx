import { type ComponentProps, type MouseEvent, useMemo, useSyncExternalStore } from "react";
import { focusContent } from "../../lib/focus";
import { type AuthUrl, currentAuthUrl, parseAuthUrl, updateUrl } from "./auth-url";

type AuthLinkProps = Omit<ComponentProps<"a">, "href" | "onClick"> & { href: string };

/** A link to another sign-in page, followed without a reload. */
export function AuthLink({ href, ...rest }: AuthLinkProps) {
  const navigate = (event: MouseEvent) => {
    // The browser opens new tabs and windows itself.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigateTo(href);
  };
  return <a {...rest} href={href} onClick={navigate} />;
}

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
function navigateTo(href: string): void {
  updateUrl(href, "pushState");
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
  focusContent();
}
