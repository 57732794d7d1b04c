import type { Language } from "../../../worker/contract/options";
import { applyInitialTheme } from "../../lib/initial-theme";
import { detectLanguage } from "../../lib/language";
import { type Answer, fetchRequest, fetchTexts, tokenFromPath } from "./request/submission-api";
import { lookUp, type Texts } from "./translation/translate";

/** What is under way before the scripts have arrived. */
export type Bootstrap = {
  token: string;
  language: Language;
  /** The texts; the first step is written in them once this resolves. */
  texts: Promise<Texts>;
  request: Promise<Answer>;
  /** Next was pressed before anybody could answer. */
  submitted: boolean;
};

declare global {
  interface Window {
    submitBootstrap?: Bootstrap;
  }
}

/** Asks for everything at once and puts the page into the visitor's language and theme. */
export function bootstrap(): Bootstrap {
  const page = document.documentElement;
  applyInitialTheme();
  const language = detectLanguage();
  page.lang = language;
  if (language !== "en") page.dataset.texts = "pending";
  const showTexts = () => delete page.dataset.texts;

  const token = tokenFromPath(location.pathname);
  const request = fetchRequest(token);
  const texts = fetchTexts(language, showTexts).then(async (texts) => {
    await documentParsed();
    for (const element of document.querySelectorAll<HTMLElement>("[data-t]"))
      element.textContent = lookUp(texts, element.dataset.t ?? "") ?? element.textContent;
    showTexts();
    return texts;
  });
  const result: Bootstrap = { token, language, texts, request, submitted: false };

  // Sent by the browser itself, the form would put what was typed into the address.
  const preventSubmit = (event: Event) => {
    event.preventDefault();
    result.submitted = true;
  };
  document.addEventListener("submit", preventSubmit);
  void request.then(({ status }) => {
    // There is no first step behind a link that does not work.
    if (status !== 200) page.dataset.request = "failed";
  });
  return result;
}

/** Resolves once the whole page is there. */
function documentParsed(): Promise<unknown> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
}
