import { language, languages, theme } from "../../../locales/en/common.json";
import type { Language } from "../../../worker/contract/options";
import { keepDetectedLanguage, storeLanguage } from "../../lib/language";
import { showTexts } from "../../lib/page-bootstrap";
import { LOADING_RETRIES, retry } from "../../lib/retry";
import { showLanguage, startInEnglish } from "../../lib/visitor-translation";
import type { Bootstrap } from "./bootstrap";
import * as auth from "./first-texts";

/** Starts in English: the page is prerendered in it, so hydration must be too. Only what the first view shows is bundled. */
export function initEnglish(): void {
  startInEnglish({
    auth,
    common: { language, languages, theme },
  });
}

/** Switches to the language that the visitor has chosen. Without its texts the page stays as it is. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  if (await showLanguage(chosen)) storeLanguage(chosen);
}

/** Switches to the visitor's language once its texts are loaded; without them the page stays in English. */
export async function applyLanguage({ language: detected, texts }: Bootstrap): Promise<void> {
  const shown = await showLanguage(detected, texts);
  showTexts();
  if (!shown) return retry(loadEnglish, { policy: LOADING_RETRIES });
  keepDetectedLanguage(detected);
}

async function loadEnglish(): Promise<void> {
  if (!(await showLanguage("en"))) throw new Error("The texts could not be loaded");
}
