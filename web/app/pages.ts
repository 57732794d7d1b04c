import type { FlatNamespace } from "i18next";

/** The texts of every page. */
export const COMMON_TEXTS = ["common", "shell"] as const satisfies FlatNamespace[];

/** The pages by the name of their chunk, each with the texts that are loaded before it shows. */
export const PAGE_TEXTS = {
  home: ["envelopes"],
  templates: ["templates", "validation", "errors"],
  contacts: ["contacts", "validation", "errors"],
  contact: ["contacts", "envelopes", "review", "validation", "errors"],
  schedules: ["schedules", "envelopes", "validation", "errors"],
  "integrations-page": ["integrations", "destinations", "validation", "errors"],
  profile: ["profile", "security", "validation", "errors"],
  workspace: ["workspace", "validation", "errors"],
  "administration-page": ["administration", "workspace", "validation", "errors"],
} as const satisfies Record<string, FlatNamespace[]>;

export type PageName = keyof typeof PAGE_TEXTS;

const PATHS: Readonly<Record<string, PageName>> = {
  "": "home",
  templates: "templates",
  contacts: "contacts",
  schedules: "schedules",
  integrations: "integrations-page",
  profile: "profile",
  workspace: "workspace",
  administration: "administration-page",
};

/** The page at a path, for what is preloaded; undefined for the page that is not found. */
export function pageAt(pathname: string): PageName | undefined {
  const [, first = "", second] = pathname.split("/");
  if (second) return first === "contacts" ? "contact" : undefined;
  return Object.hasOwn(PATHS, first) ? PATHS[first] : undefined;
}
