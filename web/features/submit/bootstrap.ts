import { bootstrapPage, showTexts } from "../../lib/page-bootstrap";
import { lookUp } from "../../lib/texts";
import { fetchRequest, fetchTexts, tokenFromPath } from "./request/submission-api";

/** What the head script has started before the page's scripts are loaded. */
type Bootstrap = ReturnType<typeof bootstrap>;

declare global {
  interface Window {
    submitBootstrap?: Bootstrap;
  }
}

/** Requests texts and data at once, and translates the prerendered first step. */
export function bootstrap() {
  const page = document.documentElement;
  const started = bootstrapPage();
  page.lang = started.language;
  const token = tokenFromPath(location.pathname);
  const request = fetchRequest(token);
  const texts = fetchTexts(started.language, showTexts).then(async (texts) => {
    await documentParsed();
    for (const element of document.querySelectorAll<HTMLElement>("[data-t]"))
      element.textContent = lookUp(texts, element.dataset.t ?? "") ?? element.textContent;
    showTexts();
    return texts;
  });
  void request.then(({ status }) => {
    // A link that does not work has no first step to show.
    if (status !== 200) page.dataset.request = "failed";
  });
  return Object.assign(started, {
    token,
    /** Resolves once the prerendered first step is translated. */
    texts,
    request,
  });
}

function documentParsed(): Promise<unknown> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("readystatechange", resolve, { once: true }));
}
