import type { InferResponseType } from "hono/client";
import type { Language } from "../../../worker/contract/options";
import type { api } from "../../lib/api";
import { bootstrapPage, type PageBootstrap } from "../../lib/page-bootstrap";
import { currentAuthUrl, parseAuthUrl, updateUrl } from "./auth-url";

const NAMESPACES = ["auth", "common", "errors", "validation"] as const;

/** What the head script has started before the page's scripts are loaded. */
export type Bootstrap = PageBootstrap & {
  /** The texts by namespace. English ones are in the page, so none are loaded; null if loading failed. */
  texts: Promise<[namespace: string, texts: unknown][] | null>;
};

declare global {
  interface Window {
    authBootstrap?: Bootstrap;
  }
}

/** Requests the texts, hides the prerendered view if the URL asks for another, and leaves if signed in. */
export function bootstrap(): Bootstrap {
  const started = bootstrapPage();
  updateUrl(currentAuthUrl(), "replaceState");
  const url = parseAuthUrl(currentAuthUrl());
  if (url.view === "signIn" || url.view === "forgot") void leaveIfSignedIn(url.next);
  if (url.view !== "signIn") document.documentElement.dataset.pendingView = url.view;
  return Object.assign(started, { texts: readTexts(started.language) });
}

/** A signed-in visitor continues to the app. */
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

/** Null if the request fails: the form works without, and submitting it reports the problem. */
async function readJson<Body>(url: string): Promise<Body | null> {
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.json() : null;
}
