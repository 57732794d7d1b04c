import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { hasChosenLanguage } from "../../lib/language";
import { applyTheme, hasStoredTheme } from "../../lib/theme";
import { deviceTimeZone } from "../../lib/time-zone";
import { type User, userQuery } from "../auth/auth.queries";

/** What an account has of which nobody has chosen anything. */
const DEFAULTS = { theme: "system", language: "en" } as const;

/**
 * On a device where nothing was chosen, the theme and language that the account was given elsewhere. A new
 * account begins with the language that is spoken here, which its mails are then written in, and an account without a
 * time zone with the one that this device is set to.
 */
export function useAccountPreferences(user: User): void {
  const { i18n } = useTranslation();
  const client = useQueryClient();
  const { mutate: save } = useMutation({
    mutationFn: (changes: { languagePreference?: Language; timeZone?: string }) =>
      json(api.user.profile.$patch({ json: changes })),
    // Merged, because something else may have been saved meanwhile.
    onSuccess: ({ timeZone }) =>
      client.setQueryData(userQuery.queryKey, (cached) => cached && { ...cached, timeZone }),
  });
  const applied = useRef(false);
  useEffect(() => {
    // Once for each time that somebody signs in: afterwards the choice is made here.
    if (applied.current) return;
    applied.current = true;
    const { themePreference: theme, languagePreference: language } = user;
    if (theme !== DEFAULTS.theme && !hasStoredTheme()) applyTheme(theme);
    const timeZone = user.timeZone ?? deviceTimeZone();
    const isUnknown = timeZone !== user.timeZone;
    const current = LANGUAGES.find((known) => i18n.language.startsWith(known)) ?? DEFAULTS.language;
    const isNew = language === DEFAULTS.language && language !== current && !user.onboardingCompleted;
    if (language !== DEFAULTS.language && language !== current && !hasChosenLanguage())
      void i18n.changeLanguage(language);
    if (isNew || isUnknown)
      save({ ...(isUnknown && timeZone && { timeZone }), ...(isNew && { languagePreference: current }) });
  }, [user, i18n, save]);
}
