import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { hasChosenLanguage } from "../../lib/language";
import { applyTheme, hasStoredTheme } from "../../lib/theme";
import type { User } from "../auth/auth.queries";

/** What an account has of which nobody has chosen anything. */
const DEFAULTS = { theme: "system", language: "en" } as const;

/**
 * On a device where nothing was chosen, the theme and language that the account was given elsewhere. A new
 * account begins with the language that is spoken here, which its mails are then written in.
 */
export function useAccountPreferences(user: User): void {
  const { i18n } = useTranslation();
  const { mutate: saveLanguage } = useMutation({
    mutationFn: (languagePreference: Language) =>
      json(api.user.profile.$patch({ json: { languagePreference } })),
  });
  const applied = useRef(false);
  useEffect(() => {
    // Once for each time that somebody signs in: afterwards the choice is made here.
    if (applied.current) return;
    applied.current = true;
    const { themePreference: theme, languagePreference: language } = user;
    if (theme !== DEFAULTS.theme && !hasStoredTheme()) applyTheme(theme);
    const current = LANGUAGES.find((known) => i18n.language.startsWith(known)) ?? DEFAULTS.language;
    if (language === current) return;
    if (language !== DEFAULTS.language && !hasChosenLanguage()) void i18n.changeLanguage(language);
    if (language === DEFAULTS.language && !user.onboardingCompleted) saveLanguage(current);
  }, [user, i18n, saveLanguage]);
}
