import type { ComponentProps, MouseEvent } from "react";
import { navigateTo } from "./use-auth-url";

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
