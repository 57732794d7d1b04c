import type { InferResponseType } from "hono/client";
import type { Language } from "../../../worker/contract/options";
import type { api } from "../../lib/api";
import { paintTheme } from "../../lib/initial-theme";
import { detectLanguage } from "../../lib/language";
import { currentHref, readAddress, showAddress } from "./auth-url";

const NAMESPACES = ["auth", "common", "errors", "validation"] as const;

/** What is under way before the scripts have arrived. */
export type Start = {
  language: Language;
  /** The texts by their namespace, none for English, which the page has; null where they could not be had. */
  texts: Promise<[namespace: string, texts: unknown][] | null>;
  /** The form was sent before anybody could answer. */
  pressed: boolean;
};

declare global {
  interface Window {
    authStart?: Start;
  }
}

/** Puts the page into the visitor's theme, hides what is drawn for others, and asks for what comes next. */
export function start(): Start {
  const page = document.documentElement;
  paintTheme();
  showAddress(currentHref(), "replaceState");
  const address = readAddress(currentHref());
  if (address.view === "signIn" || address.view === "forgot") void leaveIfSignedIn(address.next);
  if (address.view !== "signIn") page.dataset.awaits = address.view;
  const language = detectLanguage();
  if (language !== "en") page.dataset.texts = "pending";
  const started: Start = { language, texts: readTexts(language), pressed: false };
  // Sent by the browser itself, the form would put the password into the address.
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    started.pressed = true;
  });
  return started;
}

/** Who is signed in has nothing to do here. */
async function leaveIfSignedIn(next = "/"): Promise<void> {
  const session = await readJson<InferResponseType<typeof api.session.$get, 200>>("/api/session");
  if (session?.signedIn) location.replace(next);
}

async function readTexts(language: Language): Start["texts"] {
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
