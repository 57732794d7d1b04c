import type { ComponentProps, MouseEvent } from "react";
import { navigateTo } from "./use-auth-url";

type AuthLinkProps = Omit<ComponentProps<"a">, "href" | "onClick"> & { href: string };

/** A link to another of the visitor's pages, which changes the view and keeps the document. */
export function AuthLink({ href, ...rest }: AuthLinkProps) {
  const navigate = (event: MouseEvent) => {
    // A new tab or window is the browser's own affair.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigateTo(href);
  };
  return <a {...rest} href={href} onClick={navigate} />;
}
