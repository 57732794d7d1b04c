import type { Language } from "../../../worker/contract/options";
import { paintTheme } from "../../lib/initial-theme";
import { detectLanguage } from "../../lib/language";
import { type Answer, readRequest, readTexts, tokenOf } from "./request/submission-api";
import { lookUp, type Texts } from "./translation/translate";

/** What is under way before the scripts have arrived. */
export type Start = {
  token: string;
  language: Language;
  /** The texts; the first step is written in them once this resolves. */
  texts: Promise<Texts>;
  request: Promise<Answer>;
  /** Next was pressed before anybody could answer. */
  pressed: boolean;
};

declare global {
  interface Window {
    submitStart?: Start;
  }
}

/** Asks for everything at once and puts the page into the visitor's language and theme. */
export function start(): Start {
  const page = document.documentElement;
  paintTheme();
  const language = detectLanguage();
  page.lang = language;
  if (language !== "en") page.dataset.texts = "pending";
  const reveal = () => delete page.dataset.texts;

  const token = tokenOf(location.pathname);
  const request = readRequest(token);
  const texts = readTexts(language, reveal).then(async (texts) => {
    await parsed();
    for (const element of document.querySelectorAll<HTMLElement>("[data-t]"))
      element.textContent = lookUp(texts, element.dataset.t ?? "") ?? element.textContent;
    reveal();
    return texts;
  });
  const started: Start = { token, language, texts, request, pressed: false };

  // Sent by the browser itself, the form would put what was typed into the address.
  const hold = (event: Event) => {
    event.preventDefault();
    started.pressed = true;
  };
  document.addEventListener("submit", hold);
  void request.then(({ status }) => {
    // There is no first step behind a link that does not work.
    if (status !== 200) page.dataset.request = "failed";
  });
  return started;
}

/** Resolves once the whole page is there. */
function parsed(): Promise<unknown> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
}
