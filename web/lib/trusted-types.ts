type Rules = {
  createScriptURL?: (url: string) => string | null;
  createHTML?: (html: string) => string;
};
type Policy = { createHTML: (html: string) => string };

declare global {
  interface Window {
    /** In engines that have Trusted Types. */
    trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
  }
}

/** Creates one of the policies that the pages' Content-Security-Policy names; each name once. */
export const createTrustedPolicy = (name: "default" | "mail", rules: Rules): Policy | undefined =>
  window.trustedTypes?.createPolicy(name, rules);
