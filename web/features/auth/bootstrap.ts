import type { InferResponseType } from "hono/client";
import type { Language } from "../../../worker/contract/options";
import type { api } from "../../lib/api";
import { applyInitialTheme } from "../../lib/initial-theme";
import { detectLanguage } from "../../lib/language";
import { currentAuthUrl, parseAuthUrl, updateUrl } from "./auth-url";

const NAMESPACES = ["auth", "common", "errors", "validation"] as const;

/** What is under way before the scripts have arrived. */
export type Bootstrap = {
  language: Language;
  /** The texts by their namespace, none for English, which the page has; null where they could not be had. */
  texts: Promise<[namespace: string, texts: unknown][] | null>;
  /** The form was sent before anybody could answer. */
  submitted: boolean;
};

declare global {
  interface Window {
    authBootstrap?: Bootstrap;
  }
}

/** Puts the page into the visitor's theme, hides what is drawn for others, and asks for what comes next. */
export function bootstrap(): Bootstrap {
  const page = document.documentElement;
  applyInitialTheme();
  updateUrl(currentAuthUrl(), "replaceState");
  const address = parseAuthUrl(currentAuthUrl());
  if (address.view === "signIn" || address.view === "forgot") void leaveIfSignedIn(address.next);
  if (address.view !== "signIn") page.dataset.pendingView = address.view;
  const language = detectLanguage();
  if (language !== "en") page.dataset.texts = "pending";
  const result: Bootstrap = { language, texts: readTexts(language), submitted: false };
  // Sent by the browser itself, the form would put the password into the address.
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    result.submitted = true;
  });
  return result;
}

/** Who is signed in has nothing to do here. */
async function leaveIfSignedIn(next = "/"): Promise<void> {
  const session = await readJson<InferResponseType<typeof api.session.$get, 200>>("/api/session");
  if (session?.signedIn) location.replace(next);
}

async function readTexts(language: Language): Bootstrap["texts"] {
  if (language === "en") return [];
  const bundles: [string, unknown][] = await Promise.all(
    NAMESPACES.map(async (name) => [name, await readJson(`/locales/${language}/${name}.json`)]),
  );
  return bundles.every(([, texts]) => texts) ? bundles : null;
}

/** Null where there is no answer: the form stands without, and sending it tells what is wrong. */
async function readJson<Body>(url: string): Promise<Body | null> {
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.json() : null;
}
