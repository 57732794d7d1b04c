import type { InferResponseType } from "hono/client";
import type { SignUpState } from "../../../worker/contract/auth";
import type { api } from "../../lib/api";
import { bootstrapPage } from "../../lib/page-bootstrap";
import { readJson, readTexts } from "../../lib/read-texts";
import { currentAuthUrl, parseAuthUrl, type SignInUrl, updateUrl } from "./auth-url";

/** The texts of the first view. */
const FIRST_NAMESPACES = ["auth", "common"] as const;

/** What the head script has started before the page's scripts are loaded. */
export type Bootstrap = ReturnType<typeof bootstrap>;

/** The button that was pressed last before React listened; null if there is none. */
type RecordedPress = { button: HTMLElement | null; stop: () => void };

type SessionState = InferResponseType<typeof api.session.$get, 200>;

declare global {
  interface Window {
    authBootstrap?: Bootstrap;
  }
}

/** Requests the texts, hides the prerendered view if the URL asks for another, and leaves if signed in. */
export function bootstrap() {
  const started = bootstrapPage();
  updateUrl(currentAuthUrl(), "replaceState");
  const url = parseAuthUrl(currentAuthUrl());
  const session = "token" in url ? Promise.resolve(null) : leaveIfSignedIn(url);
  if (url.view !== "signIn") document.documentElement.dataset.pendingView = url.view;
  return Object.assign(started, {
    /** Those of the first view; null if loading failed. */
    texts: readTexts(started.language, FIRST_NAMESPACES),
    signUp: session.then((found): SignUpState => found?.signUp ?? "open"),
    isFirst: session.then((found) => found?.noAccount === true),
    allowsPasswords: session.then((found) => found?.passwordSignIn !== "off"),
    press: recordPress(),
  });
}

/** Records which button is pressed, for example a tab, until React has hydrated. */
function recordPress(): RecordedPress {
  const listening = new AbortController();
  const press: RecordedPress = { button: null, stop: () => listening.abort() };
  const record = ({ target }: Event) => {
    press.button = target instanceof Element ? target.closest("button[type=button]") : null;
  };
  document.addEventListener("click", record, { signal: listening.signal });
  return press;
}

/**
 * Redirects a signed-in visitor to the app, unless they want to replace the password, as mails about the account's
 * security suggest, or come back from a provider. @returns how one can sign in
 */
async function leaveIfSignedIn({ view, next = "/" }: SignInUrl): Promise<SessionState | null> {
  const session = await readJson<SessionState>("/api/session");
  if (session?.signedIn && view === "signIn") location.replace(next);
  return session;
}
